/**
 * Page shown at `/` while the console has not been built. No script or style that could fail as
 * well.
 */
export const NOT_BUILT = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Tieline</title></head>
<body>
<h1>The console is not built</h1>
<p>The API runs. To have its pages, run <code>npm run build</code> in the checkout and start the api again; <code>npm start</code> does both.</p>
<p>The API is described at <a href="/api/docs">/api/docs</a>.</p>
</body>
</html>
`;
