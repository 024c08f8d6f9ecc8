// Reads a point cloud with laz-perf and copc, for tests to compare with.
//
//   node read.mjs records FILE   writes all points to the standard output, uncompressed
//   node read.mjs values FILE    writes the fields of all points as 64-bit floats
//   node read.mjs nodes FILE     lists the nodes of a COPC file, with checksums of their fields
//   node read.mjs time FILE N    decompresses N times and prints milliseconds of processor time
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { createLazPerf } = require('laz-perf')
const { Copc, Las } = require('copc')

const [, , what, path, times] = process.argv
const file = readFileSync(path)
const get = async (begin, end) => new Uint8Array(file.subarray(begin, end))

const fields = ['X', 'Y', 'Z', 'Intensity', 'ReturnNumber', 'NumberOfReturns', 'ScanDirectionFlag', 'EdgeOfFlightLine', 'Classification',
  'ScanAngle', 'UserData', 'PointSourceId', 'GpsTime', 'Red', 'Green', 'Blue', 'Infrared']

function write(bytes) {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at)
    } catch (e) {
      if (e.code !== 'EAGAIN') throw e
    }
  }
}

// decompress returns all points of a LAZ file, or of a LAS file as they are.
async function decompress(perf) {
  const header = Las.Header.parse(file)
  const { pointCount, pointDataRecordLength, pointDataOffset } = header
  if (!(file[104] & 128)) {
    return file.subarray(pointDataOffset, pointDataOffset + pointCount * pointDataRecordLength)
  }
  const laszip = new perf.LASZip()
  const data = perf._malloc(file.length)
  const point = perf._malloc(pointDataRecordLength)
  perf.HEAPU8.set(file, data)
  laszip.open(data, file.length)
  const all = Buffer.alloc(pointCount * pointDataRecordLength)
  for (let i = 0; i < pointCount; i++) {
    laszip.getPoint(point)
    all.set(perf.HEAPU8.subarray(point, point + pointDataRecordLength), i * pointDataRecordLength)
  }
  perf._free(data)
  perf._free(point)
  laszip.delete()
  return all
}

function values(view) {
  const getters = fields.map((f) => (view.dimensions[f] ? view.getter(f) : () => 0))
  const all = new Float64Array(view.pointCount * fields.length)
  for (let i = 0; i < view.pointCount; i++) {
    getters.forEach((g, j) => (all[i * fields.length + j] = g(i)))
  }
  return Buffer.from(all.buffer)
}

if (what === 'nodes') {
  const copc = await Copc.create(get)
  const nodes = {}
  const pages = [copc.info.rootHierarchyPage]
  while (pages.length > 0) {
    const page = await Copc.loadHierarchyPage(get, pages.pop())
    Object.assign(nodes, page.nodes)
    pages.push(...Object.values(page.pages))
  }
  for (const key of Object.keys(nodes)) {
    if (nodes[key].pointCount === 0) continue
    const view = await Copc.loadPointDataView(get, copc, nodes[key])
    console.log(JSON.stringify({ key, points: view.pointCount, sha256: createHash('sha256').update(values(view)).digest('hex') }))
  }
} else {
  const perf = await createLazPerf()
  if (what === 'time') {
    const before = process.cpuUsage()
    for (let i = 0; i < Number(times); i++) await decompress(perf)
    const used = process.cpuUsage(before)
    console.log((used.user + used.system) / 1000)
  } else {
    const all = await decompress(perf)
    if (what === 'records') write(all)
    else {
      const header = Las.Header.parse(file)
      write(values(Las.View.create(all, header, [])))
    }
  }
}
