{
  "name": "@tieline/@nouns@",
  "version": "0.2.0",
  "private": true,
  "type": "module",
  "exports": {
    ".": {
      "@tieline/source": "./src/index.ts",
      "types": "./src/index.ts",
      "default": "./dist/index.js"
    }
  },
  "dependencies": {
    "@tieline/platform": "*",
    "@tieline/spaces": "*"
  },
  "nx": {
    "name": "@nouns@",
    "tags": ["lib:@nouns@"],
    "targets": {
      "build": {},
      "test": {},
      "unit": {},
      "lint": {}
    }
  }
}
