package build

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/fold"
	"github.com/waygate/waygate/index/place/tree"
)

// dictionary numbers terms and texts while an index is made.
type dictionary struct {
	x     *place.Index
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
		at = uint32(len(d.x.Texts))
		d.texts[s] = at
		d.x.Texts = append(append(d.x.Texts, byte(len(s)), byte(len(s)>>8)), s...)
	}
	return at
}

// write lays out the index.
func (w *work) write(ctx context.Context) (*place.Index, error) {
	x := &place.Index{}
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
	return x, nil
}

// writeCodes writes the postcodes: those that a source places, those that houses
// have, in the middle of them, and the districts of those that begin with one.
func (w *work) writeCodes(x *place.Index) {
	b := w.b
	given := b.codes
	type sum struct {
		fold.Code
		lon, lat, n int64
	}
	add := func(sums map[uint64]*sum, c fold.Code, at geo.Fixed) {
		s := sums[c.Packed]
		if s == nil {
			s = &sum{Code: c}
			sums[c.Packed] = s
		}
		if s.n == 0 {
			s.At = at
		}
		s.lon, s.lat, s.n = s.lon+tree.UnwrapNear(at, s.At), s.lat+int64(at.Lat), s.n+1
		s.Country = cmp.Or(s.Country, c.Country)
	}
	own := map[uint64]*sum{}
	for i := range b.houses {
		h := &b.houses[i]
		if c, ok := fold.CodeOf(b.texts[h.postcode]); ok {
			c.Country = h.country
			add(own, c, h.at)
		}
	}
	for _, d := range w.drafts {
		if c, ok := fold.CodeOf(b.texts[d.postcode]); ok && (d.kind == place.POI || d.kind == place.Address) {
			c.Country = d.country
			add(own, c, d.at)
		}
	}
	slices.SortStableFunc(given, func(a, b fold.Code) int { return cmp.Compare(a.Packed, b.Packed) })
	given = slices.CompactFunc(given, func(a, b fold.Code) bool { return a.Packed == b.Packed })
	all := slices.Clone(given)
	for packed, s := range own {
		if _, found := slices.BinarySearchFunc(given, packed, func(c fold.Code, p uint64) int { return cmp.Compare(c.Packed, p) }); !found {
			s.At = geo.Fixed{Lon: tree.WrapLongitude(s.lon / s.n), Lat: int32(s.lat / s.n)}
			all = append(all, s.Code)
		}
	}
	districts := map[uint64]*sum{}
	for _, c := range all {
		if packed, _, ok := fold.PackCode(fold.District(fold.UnpackCode(c.Packed, c.Gap))); ok {
			add(districts, fold.Code{Packed: packed, Country: c.Country}, c.At)
		}
	}
	for _, s := range districts {
		s.At = geo.Fixed{Lon: tree.WrapLongitude(s.lon / s.n), Lat: int32(s.lat / s.n)}
		all = append(all, s.Code)
	}
	slices.SortStableFunc(all, func(a, b fold.Code) int { return cmp.Compare(a.Packed, b.Packed) })
	all = slices.CompactFunc(all, func(a, b fold.Code) bool { return a.Packed == b.Packed })
	countries := map[uint16]uint8{0: 0}
	x.Countries = []uint16{0}
	for _, c := range all {
		country := c.Country
		if country == 0 {
			country = b.countryAt(c.At)
		}
		n, ok := countries[country]
		if !ok && len(x.Countries) < 256 {
			n = uint8(len(x.Countries))
			countries[country] = n
			x.Countries = append(x.Countries, country)
		}
		x.CodeKey, x.CodeAt, x.CodeGap, x.CodeCountry = append(x.CodeKey, c.Packed), append(x.CodeAt, c.At), append(x.CodeGap, c.Gap), append(x.CodeCountry, n)
	}
	b.codes = nil
}

func (w *work) writeRecords(x *place.Index, dict *dictionary) {
	b := w.b
	lists := map[string]uint32{}
	x.ListFrom = []uint32{0}
	type streetCode struct{ code, street uint32 }
	var streetCodes []streetCode
	for _, d := range w.drafts {
		r := place.Record{
			ID: d.id, At: d.at, Parent: place.None, Setting: d.setting, House: dict.text(b.texts[d.house]), Code: x.CodeNumber(b.texts[d.postcode]), Reach: d.reach,
			Importance: uint16(math.Round(65535 * max(0, min(1, d.importance)))), Kind: uint8(d.kind), Addresses: uint32(len(x.Addresses)), Count: uint32(len(d.houses)),
		}
		if d.parent != nil {
			r.Parent = d.parent.rank
		}
		if !d.settles {
			r.Reach = 0
		}
		if d.kind != place.POI {
			r.Trait = place.ClassNumber(b.texts[d.class])
		} else {
			if d.byName {
				r.Trait |= place.MarkByName
			}
			if len(d.lines) > 0 {
				r.Trait |= place.MarkLine
			}
		}
		r.Categories = listOf(x, lists, dict, b, d.categories)
		for i := 0; i < len(d.details); i += 2 {
			x.DetailOf = append(x.DetailOf, d.rank)
			x.DetailKey = append(x.DetailKey, dict.text(b.texts[d.details[i]]))
			x.DetailValue = append(x.DetailValue, dict.text(b.texts[d.details[i+1]]))
		}
		if d.extent != (tree.Box{}) && (d.extent.West != d.extent.East || d.extent.South != d.extent.North) {
			x.ExtentOf, x.Extents = append(x.ExtentOf, d.rank), append(x.Extents, d.extent)
		}
		if len(d.outline) > 0 {
			x.OutlineOf, x.OutlineFrom = append(x.OutlineOf, d.rank), append(x.OutlineFrom, uint32(len(x.Corners)))
			x.Corners = append(x.Corners, d.outline...)
		}
		if len(d.lines) == 0 && d.kind == place.Street {
			d.lines = [][]geo.Fixed{{d.at}}
		}
		for _, line := range d.lines {
			for len(line) > 0 {
				n := min(len(line), pieceLength)
				x.PieceOf, x.PieceFrom = append(x.PieceOf, d.rank), append(x.PieceFrom, uint32(len(x.Points)))
				x.Points = append(x.Points, line[:n]...)
				if n == len(line) {
					break
				}
				line = line[n-1:]
			}
		}
		codes := make([]uint32, 0, len(d.codes))
		for text := range d.codes {
			if c := x.CodeNumber(b.texts[text]); c != place.None {
				codes = append(codes, c)
			}
		}
		slices.Sort(codes)
		for _, c := range slices.Compact(codes) {
			x.CodeOf, x.Codes = append(x.CodeOf, d.rank), append(x.Codes, c)
			streetCodes = append(streetCodes, streetCode{c, d.rank})
		}
		w.writeAddresses(x, dict, d)
		x.Records = append(x.Records, r)
	}
	x.PieceFrom = append(x.PieceFrom, uint32(len(x.Points)))
	x.OutlineFrom = append(x.OutlineFrom, uint32(len(x.Corners)))
	slices.SortFunc(streetCodes, func(a, b streetCode) int { return cmp.Or(cmp.Compare(a.code, b.code), cmp.Compare(a.street, b.street)) })
	for _, s := range streetCodes {
		x.StreetsCode, x.StreetsOf = append(x.StreetsCode, s.code), append(x.StreetsOf, s.street)
	}
	writeCategories(x)
}

// pieceLength is the most points of a piece of a line: its box should be small.
const pieceLength = 8

func (w *work) writeAddresses(x *place.Index, dict *dictionary, d *draft) {
	b := w.b
	slices.SortStableFunc(d.houses, func(p, q *house) int {
		return cmp.Or(cmp.Compare(fold.FirstNumber(b.texts[p.house]), fold.FirstNumber(b.texts[q.house])), strings.Compare(b.texts[p.house], b.texts[q.house]), cmp.Compare(p.id, q.id))
	})
	for _, h := range d.houses {
		x.Addresses = append(x.Addresses, place.House{
			ID: h.id, At: h.at, Parent: d.rank, House: dict.text(b.texts[h.house]), Code: x.CodeNumber(b.texts[h.postcode]), Setting: h.setting, Number: fold.FirstNumber(b.texts[h.house]), Shape: h.shape,
		})
	}
}

func listOf(x *place.Index, lists map[string]uint32, dict *dictionary, b *Builder, categories []uint32) uint32 {
	var k strings.Builder
	for _, c := range categories {
		k.WriteString(b.texts[c])
		k.WriteByte(0)
	}
	n, ok := lists[k.String()]
	if !ok {
		n = uint32(len(x.ListFrom) - 1)
		lists[k.String()] = n
		for _, c := range categories {
			x.Lists = append(x.Lists, dict.text(b.texts[c]))
		}
		x.ListFrom = append(x.ListFrom, uint32(len(x.Lists)))
	}
	return n
}

func writeCategories(x *place.Index) {
	of := map[uint32][]uint32{}
	for i := range x.Records {
		r := &x.Records[i]
		if place.Kind(r.Kind) != place.POI {
			continue
		}
		for _, c := range x.Lists[x.ListFrom[r.Categories]:x.ListFrom[r.Categories+1]] {
			of[c] = append(of[c], uint32(i))
		}
	}
	for c := range of {
		x.KindsOf = append(x.KindsOf, c)
	}
	slices.SortFunc(x.KindsOf, func(a, b uint32) int { return strings.Compare(x.Text(a), x.Text(b)) })
	x.OfFrom = []uint32{0}
	for _, c := range x.KindsOf {
		x.OfCategory = append(x.OfCategory, of[c]...)
		x.OfFrom = append(x.OfFrom, uint32(len(x.OfCategory)))
	}
}

// writeNames numbers the names in the order of the records and lists the records
// of each.
func (w *work) writeNames(x *place.Index, dict *dictionary) {
	b := w.b
	number := map[uint32]uint32{}
	var bearers [][]uint32
	x.WordFrom = []uint32{0}
	name := func(text uint32) uint32 {
		n, ok := number[text]
		if !ok {
			n = uint32(len(x.NameText))
			number[text] = n
			x.NameText = append(x.NameText, dict.text(b.texts[text]))
			for _, t := range fold.Split(b.texts[text]) {
				x.Words = append(x.Words, dict.of(t.Text))
			}
			x.WordFrom = append(x.WordFrom, uint32(len(x.Words)))
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
				x.Records[i].Name = at
			} else {
				x.AliasOf, x.AliasLang, x.AliasName = append(x.AliasOf, uint32(i)), append(x.AliasLang, dict.text(b.texts[n.lang])), append(x.AliasName, at)
			}
			if list := bearers[at]; len(list) == 0 || list[len(list)-1] != uint32(i) {
				bearers[at] = append(list, uint32(i))
			}
		}
	}
	x.BearFrom = []uint32{0}
	for _, list := range bearers {
		x.Bearers = append(x.Bearers, list...)
		x.BearFrom = append(x.BearFrom, uint32(len(x.Bearers)))
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
	x.TermFrom = []uint32{0}
	for i, t := range order {
		rank[t] = uint32(i)
		x.Terms = append(x.Terms, d.list[t]...)
		x.TermFrom = append(x.TermFrom, uint32(len(x.Terms)))
	}
	for i, t := range x.Words {
		x.Words[i] = rank[t]
	}
	for i, t := range x.PartTerm {
		x.PartTerm[i] = rank[t]
	}
	// Count, then fill: names come in their order.
	count := make([]uint32, len(order)+1)
	each := func(yield func(term, name uint32)) {
		for n := range x.NameText {
			words := x.Words[x.WordFrom[n]:x.WordFrom[n+1]]
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
	x.PostFrom = slices.Clone(count)
	x.Posts = make([]uint32, count[len(order)])
	each(func(term, name uint32) {
		x.Posts[count[term]] = name
		count[term]++
	})
}

func (w *work) writeTrees(x *place.Index) {
	x.AddressTree = tree.New(upTo(len(x.Addresses)), func(i uint32) tree.Box { return x.Addresses[i].Box() }, nil)
	pieces := slices.DeleteFunc(upTo(len(x.PieceOf)), func(i uint32) bool { return place.Kind(x.Records[x.PieceOf[i]].Kind) != place.Street })
	x.PieceTree = tree.New(pieces, x.PieceBox, nil)
	x.OutlineTree = tree.New(upTo(len(x.OutlineOf)), func(i uint32) tree.Box { return tree.BoxAround(x.Outline(i)) }, nil)
	x.CodeTree = tree.New(upTo(len(x.CodeKey)), func(i uint32) tree.Box { return tree.BoxOf(x.CodeAt[i]) }, nil)
	var localities, pois []uint32
	for i := range x.Records {
		switch place.Kind(x.Records[i].Kind) {
		case place.Locality:
			localities = append(localities, uint32(i))
		case place.POI:
			pois = append(pois, uint32(i))
		}
	}
	at := func(i uint32) tree.Box { return tree.BoxOf(x.Records[i].At) }
	x.LocalityTree = tree.New(localities, at, nil)
	x.PoiTree = tree.New(pois, at, x.Mask)
}

func upTo(n int) []uint32 {
	list := make([]uint32, n)
	for i := range list {
		list[i] = uint32(i)
	}
	return list
}

func (w *work) writeIDs(x *place.Index) {
	x.ByID = make([]uint32, 0, len(x.Records)+len(x.Addresses))
	for i := range x.Records {
		x.ByID = append(x.ByID, uint32(i))
	}
	for i := range x.Addresses {
		x.ByID = append(x.ByID, uint32(i)|place.AddressBit)
	}
	slices.SortFunc(x.ByID, func(a, b uint32) int { return cmp.Or(cmp.Compare(x.IDOf(a), x.IDOf(b)), cmp.Compare(a, b)) })
}
