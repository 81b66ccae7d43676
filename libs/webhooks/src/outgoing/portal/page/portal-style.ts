/** Styles of the portal page, in the colors of the console. */
export const PORTAL_STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f7f8fa, #131418); --surface: light-dark(#fff, #1a1c21); --sunken: light-dark(#f1f2f5, #15161b);
  --hover: light-dark(#eceef2, #24262e); --line: light-dark(#e3e5ea, #2c2e36); --strong: light-dark(#ccd0d8, #42454f);
  --text: light-dark(#1d1e22, #e8e8ea); --soft: light-dark(#5d5f67, #a4a7b0); --accent: light-dark(#3d55c7, #8ea2ff);
  --on-accent: light-dark(#fff, #11142a); --good: light-dark(#1b6e44, #62cf97); --bad: light-dark(#b3261e, #ff9b92);
  --wait: light-dark(#31469f, #a7b6ff);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 14px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; }
main { max-width: 64rem; margin: 0 auto; padding: 2rem 1rem 3rem; display: grid; gap: 1rem; }
h1, h2, h3, p, ol { margin: 0; }
h1 { font-size: 1.375rem; line-height: 1.3; overflow-wrap: anywhere; }
h2 { font-size: 1rem; } h3 { font-size: .875rem; }
ol { padding: 0; list-style: none; }
.soft { color: var(--soft); }
header, .bar, .ends { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
header { justify-content: space-between; gap: 1rem; } header > div { min-width: 0; flex: 1 1 20rem; } header > .bar { flex: none; } .ends { justify-content: flex-end; }
button, select { min-height: 2.125rem; padding: 0 .75rem; border: 1px solid var(--strong); border-radius: .375rem; background: var(--surface); color: var(--text); font: inherit; font-weight: 500; cursor: pointer; }
button:hover:enabled { background: var(--hover); } button:disabled { opacity: .6; cursor: default; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.main:hover:enabled { background: var(--accent); filter: brightness(.92); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
#said:empty { display: none; }
#said { padding: .625rem .875rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--surface); }
#said.bad { color: var(--bad); }
.frame, #none { border: 1px solid var(--line); border-radius: .75rem; background: var(--surface); }
#none { padding: 2.5rem 1rem; border-style: dashed; text-align: center; color: var(--soft); }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .5rem .75rem; text-align: start; border-top: 1px solid var(--line); }
thead th { border: 0; color: var(--soft); font-size: .75rem; font-weight: 500; }
td:last-child { text-align: end; white-space: nowrap; } td:last-child button { min-height: 1.75rem; margin-inline-start: .375rem; font-size: .8125rem; }
.number { text-align: end; font-variant-numeric: tabular-nums; } time { white-space: nowrap; }
.success { color: var(--good); } .dead { color: var(--bad); } .pending { color: var(--wait); }
.success, .dead, .pending { font-weight: 550; }
dialog { width: min(46rem, calc(100vw - 2rem)); max-height: calc(100vh - 3rem); padding: 1.25rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--surface); color: var(--text); }
dialog::backdrop { background: light-dark(#1d1e2266, #000000a6); }
dialog > div, #detail { display: grid; gap: .75rem; min-width: 0; }
#detail:focus { outline: none; }
pre { margin: 0; max-height: 20rem; overflow: auto; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--sunken); font: 12px/1.6 ui-monospace, Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
li + li { margin-top: .75rem; } li pre { margin-top: .25rem; max-height: 10rem; }
[hidden] { display: none !important; }
@media (max-width: 40rem) {
  thead { display: none; } table, tbody { display: block; } tr { display: grid; gap: .125rem; padding: .75rem 1rem; }
  tr + tr { border-top: 1px solid var(--line); }
  td { display: flex; justify-content: space-between; gap: 1rem; padding: .125rem 0; border: 0; }
  td[data-of]::before { content: attr(data-of); color: var(--soft); } td:last-child { justify-content: flex-end; padding-top: .375rem; }
}
`;
