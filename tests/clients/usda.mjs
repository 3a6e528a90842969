// What TinyUSDZ writes of a .usda that it has read: node usda.mjs IN OUT
import fs from 'node:fs';
Object.defineProperty(process, 'type', {value: 'renderer'}); // it is built for browsers
globalThis.window ??= globalThis;
const init = (await import('tinyusdz/tinyusdz.js')).default;
const wasmBinary = fs.readFileSync(new URL('./node_modules/tinyusdz/tinyusdz.wasm', import.meta.url));
const {TinyUSDZLoaderNative} = await init({wasmBinary, print() {}, printErr() {}});
const loader = new TinyUSDZLoaderNative();
if (!loader.loadAsLayerFromBinary(new Uint8Array(fs.readFileSync(process.argv[2])), process.argv[2])) throw new Error(loader.error());
fs.writeFileSync(process.argv[3], loader.layerToString());
