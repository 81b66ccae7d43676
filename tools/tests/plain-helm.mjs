/**
 * As much of Helm's template language as the chart uses, so that its documents can be read without
 * Helm: anything else is an error. A template that needs more is no plain template.
 */
import { dump } from 'js-yaml';

const TAG = /\{\{(-)?\s*(\/\*[\s\S]*?\*\/|[\s\S]*?)\s*(-)?\}\}/g;

/** Texts and tags, with the white space that `-` takes away gone. */
function tokens(text) {
  const found = [];
  let from = 0;
  let trims = false;
  for (const match of text.matchAll(TAG)) {
    let between = text.slice(from, match.index);
    if (trims) between = between.trimStart();
    if (match[1]) between = between.trimEnd();
    found.push({ text: between });
    if (!match[2].startsWith('/*')) found.push({ tag: match[2] });
    from = match.index + match[0].length;
    trims = match[3] === '-';
  }
  const rest = text.slice(from);
  found.push({ text: trims ? rest.trimStart() : rest });
  return found;
}

/** @returns the nodes up to the tag that ends them, and that tag */
function parse(list) {
  const nodes = [];
  while (list.length > 0) {
    const token = list.shift();
    if (token.text !== undefined) nodes.push(token);
    else if (token.tag === 'end' || token.tag === 'else') return { nodes, ended: token.tag };
    else nodes.push(parseTag(token.tag, list));
  }
  return { nodes, ended: undefined };
}

function parseTag(tag, list) {
  const [, kind, rest] = /^(if|range|define)\s+([\s\S]+)$/.exec(tag) ?? [];
  if (!kind) return { value: tag };
  const body = parse(list);
  const other = body.ended === 'else' ? parse(list) : undefined;
  if ((other ?? body).ended !== 'end') throw new Error(`{{ ${tag} }} has no end`);
  return { kind, rest, nodes: body.nodes, otherwise: other?.nodes ?? [] };
}

/** Words, quoted texts and parenthesized expressions. */
function words(expression) {
  const found = [];
  const pattern = /\s*(?:("(?:[^"\\]|\\.)*")|(\()|(\))|(\|)|([^\s()|"]+))/y;
  while (pattern.lastIndex < expression.trimEnd().length) {
    const match = pattern.exec(expression);
    if (!match) throw new Error(`not understood: ${expression}`);
    found.push(match[0].trim());
  }
  return found;
}

const isTrue = (value) =>
  !(
    value === undefined ||
    value === null ||
    value === false ||
    value === 0 ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );

const indented = (text, spaces) => text.replace(/^/gm, ' '.repeat(spaces));

export class Chart {
  #defined = new Map();

  /**
   * @param {Record<string, string>} templates by name @param {Record<string, string>} files that
   * templates may read
   */
  constructor(templates, files) {
    this.files = files;
    this.bodies = {};
    for (const [name, text] of Object.entries(templates)) {
      const { nodes, ended } = parse(tokens(text));
      if (ended) throw new Error(`${name}: {{ ${ended} }} without a begin`);
      for (const node of nodes.filter(({ kind }) => kind === 'define'))
        this.#defined.set(JSON.parse(node.rest), node.nodes);
      this.bodies[name] = nodes.filter(({ kind }) => kind !== 'define');
    }
  }

  /**
   * @param {object} context Values, Release, Chart @returns {Record<string, string>} what each
   * template gives
   */
  render(context) {
    const used = Object.entries(this.bodies).filter(([name]) => !name.endsWith('.tpl'));
    return Object.fromEntries(
      used.map(([name, nodes]) => [name, this.#print(nodes, { dot: context, root: context, names: {} })]),
    );
  }

  #print(nodes, scope) {
    return nodes.map((node) => this.#printNode(node, scope)).join('');
  }

  #printNode(node, scope) {
    if (node.text !== undefined) return node.text;
    if (node.value !== undefined) return String(this.#value(node.value, scope) ?? '');
    if (node.kind === 'if')
      return this.#print(isTrue(this.#value(node.rest, scope)) ? node.nodes : node.otherwise, scope);
    return this.#printRange(node, scope);
  }

  #printRange({ rest, nodes }, scope) {
    const [, key, name, over = rest] = /^(\$\w+),\s*(\$\w+)\s*:=\s*(.+)$/.exec(rest) ?? [];
    const entries = Object.entries(this.#value(over, scope) ?? {});
    // Go walks maps in the order of their keys.
    if (key) entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return entries
      .map(([k, v]) =>
        this.#print(nodes, {
          ...scope,
          dot: v,
          names: key ? { ...scope.names, [key]: k, [name]: v } : scope.names,
        }),
      )
      .join('');
  }

  #value(expression, scope) {
    return this.#pipeline(words(expression), scope);
  }

  #pipeline(list, scope) {
    let value;
    let piped = [];
    while (list.length > 0 && list[0] !== ')') {
      const args = [];
      while (list.length > 0 && list[0] !== '|' && list[0] !== ')') args.push(this.#operand(list, scope));
      value = this.#call([...args, ...piped]);
      piped = [{ value }];
      if (list[0] === '|') list.shift();
    }
    return value;
  }

  #operand(list, scope) {
    const word = list.shift();
    if (word === '(') {
      const value = this.#pipeline(list, scope);
      list.shift();
      return { value };
    }
    if (word.startsWith('"')) return { value: JSON.parse(word) };
    if (/^-?\d+$/.test(word)) return { value: Number(word) };
    if (word === '.') return { value: scope.dot };
    if (word === '$') return { value: scope.root };
    if (word === '.Files.Get') return { call: 'Files.Get' };
    if (word === '$.Files.Get') return { call: 'Files.Get' };
    if (word.startsWith('$.')) return { value: lookUp(scope.root, word.slice(2)) };
    if (word.startsWith('$')) return { value: scope.names[word] };
    if (word.startsWith('.')) return { value: lookUp(scope.dot, word.slice(1)) };
    return { call: word };
  }

  #call([first, ...rest]) {
    if (first.call === undefined) {
      if (rest.length > 0) throw new Error('a value is no function');
      return first.value;
    }
    const args = rest.map(({ value }) => value);
    const functions = {
      include: (name, dot) => {
        const nodes = this.#defined.get(name);
        if (!nodes) throw new Error(`nothing is called ${name}`);
        return this.#print(nodes, { dot, root: dot, names: {} });
      },
      'Files.Get': (path) => {
        if (this.files[path] === undefined) throw new Error(`there is no ${path}`);
        return this.files[path];
      },
      quote: (value) => JSON.stringify(String(value ?? '')),
      default: (otherwise, value) => (isTrue(value) ? value : otherwise),
      nindent: (spaces, text) => `\n${indented(text, spaces)}`,
      toYaml: (value) => dump(value).trimEnd(),
      printf: (format, ...values) => values.reduce((text, value) => text.replace('%s', value), format),
      list: (...values) => values,
      eq: (a, b) => a === b,
      not: (value) => !isTrue(value),
      or: (...values) => values.find(isTrue) ?? values.at(-1),
    };
    if (!functions[first.call]) throw new Error(`${first.call} is not among what plain templates use`);
    return functions[first.call](...args);
  }
}

/** @throws Error for a value that the chart's values.yaml does not have */
function lookUp(from, path) {
  let value = from;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !(key in value))
      throw new Error(`there is no .${path}`);
    value = value[key];
  }
  return value;
}
