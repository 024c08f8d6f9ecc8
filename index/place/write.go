package place

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
)

// dictionary numbers terms and texts while an index is made.
type dictionary struct {
	x     *Index
	terms map[string]uint32
	list  []string
	texts map[string]uint32
}

func (d *dictionary) of(term string) uint32 {
	n, ok := d.terms[term]
	if !ok {
		n = uint32(len(d.list))
		d.terms[term] = n
		d.list = append(d.list, term)
	}
	return n
}

func (d *dictionary) text(s string) uint32 {
	at, ok := d.texts[s]
	if !ok {
		at = uint32(len(d.x.texts))
		d.texts[s] = at
		d.x.texts = append(append(d.x.texts, byte(len(s)), byte(len(s)>>8)), s...)
	}
	return at
}

// write lays out the index.
func (w *work) write(ctx context.Context) (*Index, error) {
	x := &Index{}
	dict := &dictionary{x: x, terms: map[string]uint32{}, texts: map[string]uint32{}}
	dict.text("")
	set := w.settler(x, dict)
	for i, d := range w.drafts {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		set.set(d)
	}
	slices.SortStableFunc(w.drafts, func(a, b *draft) int {
		return cmp.Or(cmp.Compare(b.importance, a.importance), cmp.Compare(a.id, b.id))
	})
	for i, d := range w.drafts {
		d.rank = uint32(i)
	}
	w.writeCodes(x)
	w.writeRecords(x, dict)
	w.writeNames(x, dict)
	dict.sort()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w.writeTrees(x)
	w.writeIDs(x)
	x.prepare()
	return x, nil
}

// writeCodes writes the postcodes: those that a source places, those that houses
// have, in the middle of them, and the outward parts of British ones.
func (w *work) writeCodes(x *Index) {
	b := w.b
	given := b.codes
	type sum struct {
		code
		lon, lat, n int64
	}
	add := func(sums map[uint64]*sum, c code, at geo.Fixed) {
		s := sums[c.packed]
		if s == nil {
			s = &sum{code: c}
			sums[c.packed] = s
		}
		if s.n == 0 {
			s.at = at
		}
		s.lon, s.lat, s.n = s.lon+beside(at, s.at), s.lat+int64(at.Lat), s.n+1
		s.country = cmp.Or(s.country, c.country)
	}
	own := map[uint64]*sum{}
	for i := range b.houses {
		h := &b.houses[i]
		if c, ok := codeOf(b.texts[h.postcode]); ok {
			c.country = h.country
			add(own, c, h.at)
		}
	}
	for _, d := range w.drafts {
		if c, ok := codeOf(b.texts[d.postcode]); ok && (d.kind == POI || d.kind == Address) {
			c.country = d.country
			add(own, c, d.at)
		}
	}
	slices.SortStableFunc(given, func(a, b code) int { return cmp.Compare(a.packed, b.packed) })
	given = slices.CompactFunc(given, func(a, b code) bool { return a.packed == b.packed })
	all := slices.Clone(given)
	for packed, s := range own {
		if _, found := slices.BinarySearchFunc(given, packed, func(c code, p uint64) int { return cmp.Compare(c.packed, p) }); !found {
			s.at = geo.Fixed{Lon: turned(s.lon / s.n), Lat: int32(s.lat / s.n)}
			all = append(all, s.code)
		}
	}
	outward := map[uint64]*sum{}
	for _, c := range all {
		if out, in, ok := british(unpackCode(c.packed, 0)); ok && in != "" {
			if packed, _, ok := packCode(out); ok {
				add(outward, code{packed: packed, country: c.country}, c.at)
			}
		}
	}
	for _, s := range outward {
		s.at = geo.Fixed{Lon: turned(s.lon / s.n), Lat: int32(s.lat / s.n)}
		all = append(all, s.code)
	}
	slices.SortStableFunc(all, func(a, b code) int { return cmp.Compare(a.packed, b.packed) })
	all = slices.CompactFunc(all, func(a, b code) bool { return a.packed == b.packed })
	countries := map[uint16]uint8{0: 0}
	x.countries = []uint16{0}
	for _, c := range all {
		country := c.country
		if country == 0 {
			country = b.countryAt(c.at)
		}
		n, ok := countries[country]
		if !ok && len(x.countries) < 256 {
			n = uint8(len(x.countries))
			countries[country] = n
			x.countries = append(x.countries, country)
		}
		x.codeKey, x.codeAt, x.codeGap, x.codeCountry = append(x.codeKey, c.packed), append(x.codeAt, c.at), append(x.codeGap, c.gap), append(x.codeCountry, n)
	}
	b.codes = nil
}

// codeNumber is the number of a written postcode, none where it is none.
func (x *Index) codeNumber(written string) uint32 {
	c, ok := codeOf(written)
	if !ok {
		return none
	}
	i, found := slices.BinarySearch(x.codeKey, c.packed)
	if !found {
		return none
	}
	return uint32(i)
}

func (w *work) writeRecords(x *Index, dict *dictionary) {
	b := w.b
	lists := map[string]uint32{}
	x.listFrom = []uint32{0}
	type streetCode struct{ code, street uint32 }
	var streetCodes []streetCode
	for _, d := range w.drafts {
		r := record{
			ID: d.id, At: d.at, Parent: none, Setting: d.setting, House: dict.text(b.texts[d.house]), Code: x.codeNumber(b.texts[d.postcode]), Reach: d.reach,
			Importance: uint16(math.Round(65535 * max(0, min(1, d.importance)))), Kind: uint8(d.kind), Addresses: uint32(len(x.addresses)), Count: uint32(len(d.houses)),
		}
		if d.parent != nil {
			r.Parent = d.parent.rank
		}
		if !d.settles {
			r.Reach = 0
		}
		r.Categories = x.list(lists, dict, b, d.categories)
		for i := 0; i < len(d.details); i += 2 {
			x.detailOf = append(x.detailOf, d.rank)
			x.detailKey = append(x.detailKey, dict.text(b.texts[d.details[i]]))
			x.detailValue = append(x.detailValue, dict.text(b.texts[d.details[i+1]]))
		}
		if d.extent != (box{}) && (d.extent.west != d.extent.east || d.extent.south != d.extent.north) {
			x.extentOf, x.extents = append(x.extentOf, d.rank), append(x.extents, d.extent)
		}
		if len(d.lines) == 0 && d.kind == Street {
			d.lines = [][]geo.Fixed{{d.at}}
		}
		for _, line := range d.lines {
			for len(line) > 0 {
				n := min(len(line), pieceLength)
				x.pieceOf, x.pieceFrom = append(x.pieceOf, d.rank), append(x.pieceFrom, uint32(len(x.points)))
				x.points = append(x.points, line[:n]...)
				if n == len(line) {
					break
				}
				line = line[n-1:]
			}
		}
		codes := make([]uint32, 0, len(d.codes))
		for text := range d.codes {
			if c := x.codeNumber(b.texts[text]); c != none {
				codes = append(codes, c)
			}
		}
		slices.Sort(codes)
		for _, c := range slices.Compact(codes) {
			x.codeOf, x.codes = append(x.codeOf, d.rank), append(x.codes, c)
			streetCodes = append(streetCodes, streetCode{c, d.rank})
		}
		w.writeAddresses(x, dict, d)
		x.records = append(x.records, r)
	}
	x.pieceFrom = append(x.pieceFrom, uint32(len(x.points)))
	slices.SortFunc(streetCodes, func(a, b streetCode) int { return cmp.Or(cmp.Compare(a.code, b.code), cmp.Compare(a.street, b.street)) })
	for _, s := range streetCodes {
		x.streetsCode, x.streetsOf = append(x.streetsCode, s.code), append(x.streetsOf, s.street)
	}
	writeCategories(x)
}

// pieceLength is the most points of a piece of a line: its box should be small.
const pieceLength = 8

func (w *work) writeAddresses(x *Index, dict *dictionary, d *draft) {
	b := w.b
	slices.SortStableFunc(d.houses, func(p, q *house) int {
		return cmp.Or(cmp.Compare(firstNumber(b.texts[p.house]), firstNumber(b.texts[q.house])), strings.Compare(b.texts[p.house], b.texts[q.house]), cmp.Compare(p.id, q.id))
	})
	for _, h := range d.houses {
		a := address{ID: h.id, At: h.at, Parent: d.rank, House: dict.text(b.texts[h.house]), Code: x.codeNumber(b.texts[h.postcode]), Number: firstNumber(b.texts[h.house])}
		if h.city != 0 && h.city != d.city {
			a.Locality = dict.text(b.texts[h.city])
		}
		x.addresses = append(x.addresses, a)
	}
}

func (x *Index) list(lists map[string]uint32, dict *dictionary, b *Builder, categories []uint32) uint32 {
	var k strings.Builder
	for _, c := range categories {
		k.WriteString(b.texts[c])
		k.WriteByte(0)
	}
	n, ok := lists[k.String()]
	if !ok {
		n = uint32(len(x.listFrom) - 1)
		lists[k.String()] = n
		for _, c := range categories {
			x.lists = append(x.lists, dict.text(b.texts[c]))
		}
		x.listFrom = append(x.listFrom, uint32(len(x.lists)))
	}
	return n
}

func writeCategories(x *Index) {
	of := map[uint32][]uint32{}
	for i := range x.records {
		r := &x.records[i]
		if Kind(r.Kind) != POI {
			continue
		}
		for _, c := range x.lists[x.listFrom[r.Categories]:x.listFrom[r.Categories+1]] {
			of[c] = append(of[c], uint32(i))
		}
	}
	for c := range of {
		x.kindsOf = append(x.kindsOf, c)
	}
	slices.SortFunc(x.kindsOf, func(a, b uint32) int { return strings.Compare(x.text(a), x.text(b)) })
	x.ofFrom = []uint32{0}
	for _, c := range x.kindsOf {
		x.of = append(x.of, of[c]...)
		x.ofFrom = append(x.ofFrom, uint32(len(x.of)))
	}
}

// writeNames numbers the names in the order of the records and lists the records
// of each.
func (w *work) writeNames(x *Index, dict *dictionary) {
	b := w.b
	number := map[uint32]uint32{}
	var bearers [][]uint32
	x.wordFrom = []uint32{0}
	name := func(text uint32) uint32 {
		n, ok := number[text]
		if !ok {
			n = uint32(len(x.nameText))
			number[text] = n
			x.nameText = append(x.nameText, dict.text(b.texts[text]))
			for _, t := range split(b.texts[text]) {
				x.words = append(x.words, dict.of(t.text))
			}
			x.wordFrom = append(x.wordFrom, uint32(len(x.words)))
			bearers = append(bearers, nil)
		}
		return n
	}
	for i, d := range w.drafts {
		if len(d.names) == 0 {
			d.names = []nameOf{{}}
		}
		for k, n := range d.names {
			at := name(n.text)
			if k == 0 {
				x.records[i].Name = at
			} else {
				x.aliasOf, x.aliasLang, x.aliasName = append(x.aliasOf, uint32(i)), append(x.aliasLang, dict.text(b.texts[n.lang])), append(x.aliasName, at)
			}
			if list := bearers[at]; len(list) == 0 || list[len(list)-1] != uint32(i) {
				bearers[at] = append(list, uint32(i))
			}
		}
	}
	x.bearFrom = []uint32{0}
	for _, list := range bearers {
		x.bearers = append(x.bearers, list...)
		x.bearFrom = append(x.bearFrom, uint32(len(x.bearers)))
	}
}

// sort puts the terms in alphabetical order and lists the names of each.
func (d *dictionary) sort() {
	x := d.x
	order := make([]uint32, len(d.list))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(d.list[a], d.list[b]) })
	rank := make([]uint32, len(order))
	x.termFrom = []uint32{0}
	for i, t := range order {
		rank[t] = uint32(i)
		x.terms = append(x.terms, d.list[t]...)
		x.termFrom = append(x.termFrom, uint32(len(x.terms)))
	}
	for i, t := range x.words {
		x.words[i] = rank[t]
	}
	for i, t := range x.partTerm {
		x.partTerm[i] = rank[t]
	}
	// Count, then fill: names come in their order.
	count := make([]uint32, len(order)+1)
	each := func(yield func(term, name uint32)) {
		for n := range x.nameText {
			words := x.words[x.wordFrom[n]:x.wordFrom[n+1]]
			for i, t := range words {
				if !slices.Contains(words[:i], t) {
					yield(t, uint32(n))
				}
			}
		}
	}
	each(func(term, _ uint32) { count[term+1]++ })
	for i := 1; i < len(count); i++ {
		count[i] += count[i-1]
	}
	x.postFrom = slices.Clone(count)
	x.posts = make([]uint32, count[len(order)])
	each(func(term, name uint32) {
		x.posts[count[term]] = name
		count[term]++
	})
}

func (w *work) writeTrees(x *Index) {
	x.addressTree = plant(upTo(len(x.addresses)), func(i uint32) box { return boxOf(x.addresses[i].At) }, nil)
	x.pieceTree = plant(upTo(len(x.pieceOf)), x.pieceBox, nil)
	x.codeTree = plant(upTo(len(x.codeKey)), func(i uint32) box { return boxOf(x.codeAt[i]) }, nil)
	var localities, pois []uint32
	for i := range x.records {
		switch Kind(x.records[i].Kind) {
		case Locality:
			localities = append(localities, uint32(i))
		case POI:
			pois = append(pois, uint32(i))
		}
	}
	at := func(i uint32) box { return boxOf(x.records[i].At) }
	x.localityTree = plant(localities, at, nil)
	x.poiTree = plant(pois, at, x.mask)
}

func upTo(n int) []uint32 {
	list := make([]uint32, n)
	for i := range list {
		list[i] = uint32(i)
	}
	return list
}

func (x *Index) pieceBox(i uint32) box {
	points := x.points[x.pieceFrom[i]:x.pieceFrom[i+1]]
	b := boxOf(points[0])
	for _, p := range points[1:] {
		b = b.with(boxOf(p))
	}
	return b
}

// mask has a bit for each category of a record.
func (x *Index) mask(i uint32) (m uint64) {
	r := &x.records[i]
	for _, c := range x.lists[x.listFrom[r.Categories]:x.listFrom[r.Categories+1]] {
		m |= maskOf(c)
	}
	return m
}

// maskOf spreads the texts of categories over the bits.
func maskOf(text uint32) uint64 { return 1 << (text * 0x9e3779b1 >> 26) }

func (w *work) writeIDs(x *Index) {
	x.byID = make([]uint32, 0, len(x.records)+len(x.addresses))
	for i := range x.records {
		x.byID = append(x.byID, uint32(i))
	}
	for i := range x.addresses {
		x.byID = append(x.byID, uint32(i)|addressBit)
	}
	slices.SortFunc(x.byID, func(a, b uint32) int { return cmp.Or(cmp.Compare(x.idOf(a), x.idOf(b)), cmp.Compare(a, b)) })
}
