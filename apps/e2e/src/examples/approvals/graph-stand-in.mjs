/**
 * A replacement for a graph of @langchain/langgraph, which is too large to install for one test. It
 * has the part of the interface that examples/approvals/langgraph.mjs uses, and keeps its
 * checkpoints in a file.
 */
import { readFileSync, writeFileSync } from 'node:fs';

/** Resumes an interrupted graph. */
export class Command {
  constructor({ resume }) {
    this.resume = resume;
  }
}

/** Thrown by `interrupt`, as in LangGraph. */
class GraphInterrupt extends Error {
  constructor(value) {
    super('interrupted');
    this.value = value;
  }
}

/**
 * A graph of nodes that run one after the other. A node gets the values and `interrupt`, and
 * returns the values to change. An interrupted node starts again when the graph is resumed.
 */
export class Graph {
  constructor(nodes, file) {
    this.nodes = nodes;
    this.file = file;
  }

  async getState() {
    const { values, at, interrupt, resumes } = this.#load();
    const names = Object.keys(this.nodes);
    const current = at >= 0 && at < names.length ? [names[at]] : [];
    const tasks = current.map((name) => ({ name, interrupts: interrupt ? [interrupt] : [] }));
    // LangGraph shows a node that was interrupted twice only in `tasks`.
    return { values, next: resumes.length > 0 ? [] : current, tasks };
  }

  async invoke(input) {
    const state = this.#load();
    const resumed = input instanceof Command ? [input.resume[state.interrupt.id]] : [];
    const resumes = [...state.resumes, ...resumed];
    Object.assign(state, { resumes, interrupt: null });
    if (state.at < 0) Object.assign(state, { at: 0, values: input });
    this.#save(state);
    const nodes = Object.entries(this.nodes);
    for (; state.at < nodes.length; state.at += 1, state.resumes = []) {
      const [name, node] = nodes[state.at];
      try {
        Object.assign(state.values, await node({ ...state.values }, interruptWith([...state.resumes])));
      } catch (error) {
        if (!(error instanceof GraphInterrupt)) throw error;
        return this.#save({ ...state, interrupt: { id: `interrupt of ${name}`, value: error.value } });
      }
    }
    return this.#save(state);
  }

  #load() {
    try {
      return JSON.parse(readFileSync(this.file, 'utf8'));
    } catch {
      return { values: {}, at: -1, interrupt: null, resumes: [] };
    }
  }

  #save(state) {
    writeFileSync(this.file, JSON.stringify(state));
    return state.values;
  }
}

function interruptWith(resumes) {
  return (value) => {
    if (resumes.length === 0) throw new GraphInterrupt(value);
    return resumes.shift();
  };
}
