// Compares NAME.glb and NAME.usda, as three.js and TinyUSDZ read them, with NAME.csv of the same run: three.mjs NAME.
import fs from 'node:fs';
import * as THREE from 'three';
import {GLTFLoader} from 'three/addons/loaders/GLTFLoader.js';
import {USDLoader} from 'three/addons/loaders/USDLoader.js';
import {USDAParser} from 'three/addons/loaders/usd/USDAParser.js';

const name = process.argv[2];

function fail(text) {
    console.log(`not ok ${name}: ${text}`);
    process.exit(1);
}

const near = (a, b, scale) => Math.abs(a - b) <= 2e-7 * (1 + scale);

// ---- the run: [{name, frames: [{x: [...], v: [...]}]}] ----

function readCsv(path) {
    const bodies = new Map(), times = [];
    for (const line of fs.readFileSync(path, 'utf8').trim().split('\n').slice(1)) {
        const field = line.split(',');
        if (!bodies.has(field[2])) bodies.set(field[2], []);
        const frames = bodies.get(field[2]), frame = Number(field[0]);
        frames[frame] ??= {x: [], v: []};
        times[frame] = Number(field[1]);
        for (let k = 0; k < 3; k++) {
            frames[frame].x.push(Math.fround(field[4 + k]));
            frames[frame].v.push(Math.fround(field[7 + k]));
        }
    }
    return {bodies: [...bodies].map(([name, frames]) => ({name, frames})), times};
}

// ---- .glb ----

/* Positions as the morph targets' weights have them now. A mesh says it itself. */
function positionsOf(object) {
    const base = object.geometry.attributes.position, morphs = object.geometry.morphAttributes.position ?? [], out = [];
    const point = new THREE.Vector3(), delta = new THREE.Vector3();
    for (let i = 0; i < base.count; i++) {
        if (object.isMesh) {
            object.getVertexPosition(i, point);
        } else {
            point.fromBufferAttribute(base, i);
            object.morphTargetInfluences.forEach((w, k) => w && point.addScaledVector(delta.fromBufferAttribute(morphs[k], i), w));
        }
        out.push(point.x, point.y, point.z);
    }
    return out;
}

function compare(what, got, want) {
    if (got.length !== want.length) fail(`${what}: ${got.length / 3} points where ${want.length / 3} are expected`);
    const scale = Math.max(...want.map(Math.abs));
    for (let i = 0; i < want.length; i++)
        if (!near(got[i], want[i], scale)) fail(`${what}: point ${Math.floor(i / 3)}: ${got[i]} where ${want[i]} is expected`);
}

async function checkGlb(run) {
    const data = fs.readFileSync(`${name}.glb`);
    const gltf = await new GLTFLoader().parseAsync(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength), '');
    const objects = gltf.scene.children, frames = run.times.length;
    if (objects.length !== run.bodies.length || gltf.animations.length !== 1) fail('.glb: bodies or animations');
    const mixer = new THREE.AnimationMixer(gltf.scene), action = mixer.clipAction(gltf.animations[0]);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    for (let f = 0; f < frames; f++) {
        mixer.setTime(Math.fround(run.times[f]));
        objects.forEach((object, b) => compare(`.glb: ${run.bodies[b].name}, frame ${f}`, positionsOf(object), run.bodies[b].frames[f].x));
    }
    action.reset(); // it had come to its end
    for (let f = 0; f + 1 < frames; f += 7) {
        mixer.setTime((run.times[f] + run.times[f + 1]) / 2);
        objects.forEach((object, b) => {
            const [a, c] = [run.bodies[b].frames[f].x, run.bodies[b].frames[f + 1].x];
            const got = positionsOf(object), step = Math.max(...a.map((x, i) => Math.abs(x - c[i])));
            got.forEach((x, i) => {
                if (Math.abs(x - (a[i] + c[i]) / 2) > 1e-6 + 1e-3 * step) fail(`.glb: ${run.bodies[b].name}, between ${f} and ${f + 1}`);
            });
        });
    }
    const kinds = objects.map(o => (o.isMesh ? 'mesh' : o.isLine ? 'line' : o.isPoints ? 'points' : 'nothing')).join(', ');
    console.log(`ok ${name}: three.js ${THREE.REVISION} plays every vertex of every frame of the .glb: ${kinds}`);
}

// ---- .usda ----

function checkUsda(run) {
    const text = fs.readFileSync(`${name}.usda`, 'utf8'), specs = new USDAParser().parseData(text).specsByPath;
    for (const {name: body, frames} of run.bodies) {
        for (const [attribute, key] of [['points', 'x'], ['velocities', 'v']]) {
            const {times, values} = specs[`/pliant/${body}.${attribute}`].fields.timeSamples;
            if (times.length !== frames.length || times.some((t, i) => t !== i)) fail(`.usda: ${body}: times of ${attribute}`);
            values.forEach((value, f) => value.forEach((x, i) => {
                if (Math.fround(x) !== frames[f][key][i]) fail(`.usda: ${body}: ${attribute} of frame ${f}`);
            }));
            if (values.some((value, f) => value.length !== frames[f][key].length)) fail(`.usda: ${body}: how many ${attribute}`);
        }
    }
    console.log(`ok ${name}: three.js reads every sample of points and velocities of the .usda`);

    const meshes = [];
    new USDLoader().parse(text).traverse(o => o.isMesh && meshes.push(o));
    const faced = run.bodies.filter(({name: body}) => specs[`/pliant/${body}.faceVertexCounts`]);
    if (meshes.length !== faced.length) fail(`.usda: ${meshes.length} meshes`);
    meshes.forEach((mesh, m) => {
        const {name: body, frames} = faced[m], position = mesh.geometry.attributes.position, x = frames[0].x;
        const counts = specs[`/pliant/${body}.faceVertexCounts`].fields.default, indices = specs[`/pliant/${body}.faceVertexIndices`].fields.default;
        const corners = mesh.geometry.index ? mesh.geometry.index.count : position.count;
        if (corners !== counts.reduce((sum, n) => sum + 3 * (n - 2), 0)) fail(`.usda: ${body}: ${corners} corners of triangles`);
        /* Corners of a face's triangles are corners of the face. */
        let corner = 0, first = 0;
        for (const n of counts) {
            const face = indices.slice(first, first + n);
            for (let k = 0; k < 3 * (n - 2); k++, corner++) {
                const i = mesh.geometry.index ? mesh.geometry.index.getX(corner) : corner;
                const at = [position.getX(i), position.getY(i), position.getZ(i)];
                if (!face.some(v => at.every((a, c) => a === x[3 * v + c]))) fail(`.usda: ${body}: a corner of a face`);
            }
            first += n;
        }
    });
    console.log(`ok ${name}: three.js makes the meshes of the .usda as they are in frame 0: ${meshes.length}`);
}

/* TinyUSDZ is made for browsers. */
async function checkTinyUsd(run) {
    Object.defineProperty(process, 'type', {value: 'renderer'});
    globalThis.window ??= globalThis;
    const init = (await import('tinyusdz/tinyusdz.js')).default;
    const wasmBinary = fs.readFileSync(new URL('./node_modules/tinyusdz/tinyusdz.wasm', import.meta.url));
    const {TinyUSDZLoaderNative} = await init({wasmBinary, print() {}, printErr() {}});
    const loader = new TinyUSDZLoaderNative(), data = new Uint8Array(fs.readFileSync(`${name}.usda`));
    if (!loader.loadFromBinary(data, `${name}.usda`) || loader.error()) fail(`.usda: TinyUSDZ: ${loader.error()}`);
    if (!loader.loadAsLayerFromBinary(data, `${name}.usda`)) fail('.usda: TinyUSDZ: layer');
    const layer = loader.layerToString(), bodies = layer.split(/\n    def /).slice(1);
    if (bodies.length !== run.bodies.length) fail(`.usda: TinyUSDZ: ${bodies.length} bodies`);
    bodies.forEach((text, b) => {
        const {name: body, frames} = run.bodies[b];
        const samples = text.match(/velocities\.timeSamples = \{([^}]*)\}/)[1].trim().split('\n');
        const extents = text.match(/extent\.timeSamples = \{([^}]*)\}/)[1].trim().split('\n');
        if (samples.length !== frames.length || extents.length !== frames.length) fail(`.usda: TinyUSDZ: ${body}: samples`);
        samples.forEach((line, f) => {
            const numbers = line.slice(line.indexOf(':')).match(/-?[0-9][-+.e0-9]*/g).map(Number);
            if (numbers.length !== frames[f].v.length || numbers.some((x, i) => Math.fround(x) !== frames[f].v[i]))
                fail(`.usda: TinyUSDZ: ${body}: velocities of frame ${f}`);
        });
    });
    console.log(`ok ${name}: TinyUSDZ reads the .usda without a complaint, and every sample of velocities`);
}

const run = readCsv(`${name}.csv`);
await checkGlb(run);
checkUsda(run);
await checkTinyUsd(run);
