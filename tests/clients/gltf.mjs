// Validates .glb files: gltf.mjs FILE... One line `ok FILE` or `not ok FILE: what` each.
import fs from 'node:fs';
import validator from 'gltf-validator';

let failed = 0;
for (const path of process.argv.slice(2)) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(path)), {uri: path, maxIssues: 5});
    const {numErrors, numWarnings, numInfos, numHints, messages} = report.issues;
    const good = numErrors + numWarnings + numInfos + numHints === 0;
    failed += !good;
    console.log(good ? `ok ${path}: valid, ${report.info.totalVertexCount} vertices, ${report.info.animationCount} animation`
                     : `not ok ${path}: ${numErrors} errors, ${numWarnings} warnings: ${JSON.stringify(messages)}`);
}
process.exit(failed ? 1 : 0);
