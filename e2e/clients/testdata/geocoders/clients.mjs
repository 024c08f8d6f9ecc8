// Geocoders of maps and servers ask the gateway in the forms that they know, from a page of another
// origin, whose fetch and XMLHttpRequest are happy-dom's and heed what the gateway allows.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { Window } from 'happy-dom'

const base = process.env.WAYGATE_URL
const server = globalThis.fetch // as programs have it, which are of no origin
const page = new Window({ url: 'http://page.example/' })
for (const name of ['window', 'document', 'navigator', 'Event', 'CustomEvent', 'HTMLElement', 'Element', 'Node', 'DocumentFragment', 'XMLHttpRequest', 'location', 'getComputedStyle', 'requestAnimationFrame']) {
  Object.defineProperty(globalThis, name, { value: name === 'window' ? page : page[name], configurable: true, writable: true })
}
// happy-dom calls onload without its request, which is its this in every browser.
globalThis.XMLHttpRequest = class extends page.XMLHttpRequest {
  set onload(done) {
    this.addEventListener('load', (event) => done.call(this, event))
  }
}
globalThis.fetch = page.fetch.bind(page)
const require = createRequire(import.meta.url)
const L = require('leaflet')
page.L = globalThis.L = L

const quay = { lat: 49.3272, lng: -7.2812 }
const near = (at, place) => assert.ok(Math.abs(at.lat - place.lat) < 0.01 && Math.abs(at.lng - place.lng) < 0.01, JSON.stringify(at))

async function leafletControlGeocoder() {
  const { geocoders } = await import('leaflet-control-geocoder')
  const nominatim = geocoders.nominatim({ serviceUrl: `${base}/nominatim/` })
  const [street] = await nominatim.geocode('Quay Street, Stannerford')
  assert.match(street.name, /^Quay Street, Stannerford, .*United Kingdom$/)
  assert.match(street.html, /Quay Street.*Stannerford/s)
  near(street.center, quay)
  assert.ok(street.bbox.isValid() && street.bbox.contains(street.center))
  const [house] = await nominatim.reverse(quay, 256 * 2 ** 18)
  assert.match(house.name, /^\d+\w?, Quay Street, Stannerford/)
  const [town] = await nominatim.reverse(quay, 256 * 2 ** 12)
  assert.match(town.name, /Stannerford/)
  assert.deepEqual(await nominatim.reverse({ lat: 0, lng: 0 }, 256 * 2 ** 18), [])
  assert.deepEqual(await nominatim.geocode('qqqqzzzz xxxxvvvv'), [])

  const photon = geocoders.photon({ serviceUrl: `${base}/photon/api/`, reverseUrl: `${base}/photon/reverse/` })
  const found = await photon.geocode('Quay Str', { map: { getCenter: () => quay, getZoom: () => 14 } })
  assert.match(found[0].name, /^Quay Street, Stannerford, /)
  assert.equal(found[0].name.match(/Quay Street/g).length, 1)
  near(found[0].center, quay)
  const [at] = await photon.reverse(quay, 1)
  assert.match(at.name, /Quay Street/)
  assert.deepEqual(await photon.geocode(''), [])
}

async function leafletPhoton() {
  require('leaflet.photon')
  const reverse = new L.PhotonReverse({ url: `${base}/photon/reverse/?`, limit: 3 })
  const told = await new Promise((done) => {
    reverse.handleResults = done
    reverse.doReverse(L.latLng(quay))
  })
  assert.equal(told.features.length, 3)
  const input = document.createElement('input')
  document.body.appendChild(input)
  const search = new L.PhotonSearch({ getCenter: () => L.latLng(quay) }, input, { url: `${base}/photon/api/?`, limit: 5, osm_tag: '!highway' })
  input.value = '36 Quay Street'
  const shown = await new Promise((done) => {
    const handle = search.handleResults.bind(search)
    search.handleResults = (all) => done(all) ?? handle(all)
    search.search()
  })
  assert.ok(shown.features.length > 0 && shown.features.every((f) => f.properties.osm_key !== 'highway'))
  const said = search.resultsContainer.innerHTML
  assert.ok(said.includes('36 Quay Street') && !said.includes('undefined'), said)
}

async function leafletGeosearch() {
  const { OpenStreetMapProvider } = require('leaflet-geosearch')
  const provider = new OpenStreetMapProvider({ searchUrl: `${base}/nominatim/search`, params: { countrycodes: 'gb', addressdetails: 1 } })
  const [street] = await provider.search({ query: 'Quay Street, Stannerford' })
  assert.match(street.label, /^Quay Street, Stannerford/)
  near({ lat: street.y, lng: street.x }, quay)
  assert.equal(street.raw.address.country_code, 'gb')
  assert.equal(street.bounds.length, 2)
}

// The geocoder for MapLibre asks a function, which its example writes like this for Nominatim.
async function maplibreGeocoder() {
  const { default: MaplibreGeocoder } = await import('@maplibre/maplibre-gl-geocoder')
  const api = {
    forwardGeocode: async (config) => {
      const answer = await fetch(`${base}/nominatim/search?q=${encodeURIComponent(config.query)}&format=geojson&polygon_geojson=1&addressdetails=1`)
      const geojson = await answer.json()
      return {
        features: geojson.features.map((feature) => {
          const center = [feature.bbox[0] + (feature.bbox[2] - feature.bbox[0]) / 2, feature.bbox[1] + (feature.bbox[3] - feature.bbox[1]) / 2]
          return { type: 'Feature', geometry: { type: 'Point', coordinates: center }, place_name: feature.properties.display_name, properties: feature.properties, text: feature.properties.display_name, place_type: ['place'], center }
        }),
      }
    },
  }
  const geocoder = new MaplibreGeocoder(api, { minLength: 2 })
  const box = document.createElement('div')
  document.body.appendChild(box)
  geocoder.addTo(box)
  const results = new Promise((done, failed) => geocoder.on('results', done) && geocoder.on('error', ({ error }) => failed(error)))
  geocoder.query('Quay Street, Stannerford')
  const { features } = await results
  assert.match(features[0].place_name, /^Quay Street, Stannerford/)
  near({ lng: features[0].center[0], lat: features[0].center[1] }, quay)
}

// key is a new one, which clients on servers send in the query.
async function key() {
  const answer = await server(`${base}/admin/keys`, { method: 'POST', headers: { Authorization: `Bearer ${process.env.WAYGATE_ADMIN}`, 'Content-Type': 'application/json' }, body: JSON.stringify({ name: 'geocoder', monthly_quota: 100, rate_per_min: 100 }) })
  assert.equal(answer.status, 201, answer.statusText)
  return (await answer.json()).key
}

async function nodeGeocoder() {
  const NodeGeocoder = require('node-geocoder')
  const geocoder = NodeGeocoder({ provider: 'openstreetmap', osmServer: `${base}/nominatim`, apiKey: await key(), language: 'en' })
  const [house] = await geocoder.geocode('36 Quay Street, Stannerford')
  assert.deepEqual([house.streetNumber, house.streetName, house.city, house.countryCode, house.country], ['36', 'Quay Street', 'Stannerford', 'GB', 'United Kingdom'])
  const [parted] = await geocoder.geocode({ street: '36 Quay Street', city: 'Stannerford', country: 'GB', limit: 1 })
  assert.equal(parted.formattedAddress, house.formattedAddress)
  const [here] = await geocoder.reverse({ lat: quay.lat, lon: quay.lng })
  assert.equal(here.streetName, 'Quay Street')
  await assert.rejects(geocoder.reverse({ lat: 0, lon: 0 }), /Unable to geocode/)
}

let ran = 0
for (const client of [leafletControlGeocoder, leafletPhoton, leafletGeosearch, maplibreGeocoder, nodeGeocoder]) {
  try {
    await client()
    ran++
  } catch (failure) {
    console.error(`${client.name}:`, failure)
    process.exitCode = 1
  }
}
assert.equal(ran, 5)
await page.happyDOM.close()
