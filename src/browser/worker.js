// The worker of docs/app/index.html. The linker puts this text in front of the JavaScript of
// Emscripten, in the scope of its functions (FS, ccall). Its optimizer knows neither
// for-of loops nor objects that are spread.
//
// The first message is {module}, the compiled accord.wasm; the answer has the fields of
// accord_about(). Then each message has an answer with its `id`:
//   {id, call: "align", files, options}   the fields of accord_align(); of a file {name, bytes}
//   {id, call: "view", files, options}    the fields of accord_view()
//   {id, call: "inspect", files}          the fields of accord_inspect()
//   {id, call: "write", kind, treeOrder}  `bytes` of the file, and the fields of accord_write()
// {stage, done} come while an alignment is computed. {failed} says that the module cannot go on.
//
// In accord-threads.js, the name of the worker is the address of accord-threads.worker.js, the script
// of the other threads. These read this text, too, and get no message of the page.
"use strict";

const FOLDER = "/work";
const OUTPUT = "/output";
let shown = 0;

/* exported showProgress */
function showProgress(stage, done) {  // called by C++
  const now = performance.now();
  if (done > 0 && now - shown < 100) return;
  shown = now;
  self.postMessage({ stage, done });
}

function answerOf(name, types, values) {
  return JSON.parse(ccall(name, "string", types, values));
}

// Puts files into the folder, in place of those there; their names, a line for each.
function placed(files) {
  FS.readdir(FOLDER).filter((old) => old !== "." && old !== "..")
    .forEach((old) => FS.unlink(`${FOLDER}/${old}`));
  const taken = new Set();
  return files.map(({ name, bytes }) => {
    let file = name.replace(/^-$|[/\n\0]/g, "_");
    while (taken.has(file)) file = "_" + file;
    taken.add(file);
    FS.writeFile(`${FOLDER}/${file}`, new Uint8Array(bytes));
    return file;
  }).join("\n");
}

const calls = {
  align({ files, options }) {
    return answerOf("accord_align", ["string", "string"], [placed(files), options]);
  },
  view({ files, options }) {
    return answerOf("accord_view", ["string", "string"], [placed(files), options]);
  },
  inspect({ files }) {
    return answerOf("accord_inspect", ["string"], [placed(files)]);
  },
  write({ kind, treeOrder }) {
    const found = answerOf("accord_write", ["string", "string", "number"],
      [kind, OUTPUT, treeOrder ? 1 : 0]);
    if (!found.error) {
      found.bytes = FS.readFile(OUTPUT);
      FS.unlink(OUTPUT);
    }
    return found;
  },
};

if (!Module.ENVIRONMENT_IS_PTHREAD) {
  Module.locateFile = (file) => file.endsWith(".worker.js") ? self.name : file;

  Module.instantiateWasm = (imports, ready) => {
    self.onmessage = ({ data: { module } }) => {
      WebAssembly.instantiate(module, imports).then((instance) => ready(instance, module),
        (error) => self.postMessage({ failed: String(error) }));
    };
    return {};
  };

  Module.onRuntimeInitialized = () => {
    FS.mkdir(FOLDER);
    FS.chdir(FOLDER);
    self.onmessage = ({ data }) => {
      try {
        self.postMessage(Object.assign({ id: data.id }, calls[data.call](data)));
      } catch (error) {
        self.postMessage({ id: data.id, failed: String(error) });
      }
    };
    self.postMessage(answerOf("accord_about", [], []));
  };
}
