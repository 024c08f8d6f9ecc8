package find_test

import (
	"testing"
	"unicode/utf8"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
	"github.com/waygate/waygate/index/place/find"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
)

// FuzzRead damages a section: reading it gives an error, or an index that can be
// asked anything.
func FuzzRead(f *testing.F) {
	x, err := town(f).Build(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	whole := regiontest.Written(f, x.Write)
	for _, p := range regiontest.Patches {
		f.Add(p, 0)
	}
	f.Add([]byte(nil), 2000)
	f.Fuzz(func(t *testing.T, patch []byte, cut int) {
		s, err := region.ReadSection(place.SectionName, regiontest.Patched(whole, patch, cut))
		if err != nil {
			return
		}
		x, err := find.Read(s)
		if err != nil {
			return
		}
		for _, q := range []string{"3 high street newport", "np20", "np20 1aa", "pub", "14 hgih st", "x"} {
			for _, typing := range []bool{false, true} {
				if _, err := x.Search(t.Context(), &place.Query{Text: q, Limit: 10, Typing: typing}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if _, err := x.Reverse(t.Context(), geo.Point{Lon: 0.001, Lat: 51}, 0, 10, 5000, "cy"); err != nil {
			t.Fatal(err)
		}
		if err := x.Around(t.Context(), geo.Point{Lon: 0.001, Lat: 51}, 5000, nil, "", func(n place.Near) bool { _, _ = x.Find(n.ID, ""); return true }); err != nil {
			t.Fatal(err)
		}
		_, _ = x.Find("poi.n50", "")
		_ = x.Categories()
	})
}

// FuzzSearch asks anything: the hits are places of the index, with a match for parts of the
// question.
func FuzzSearch(f *testing.F) {
	b := town(f)
	for i, name := range []string{"улица Чапаева", "Λεωφόρος Βασιλίσσης Όλγας", "شارع صلاح الدين", "ถนนพระปกเกล้า", "세종대로209번길", "丸の内一丁目"} {
		at := geo.Point{Lon: 0.001, Lat: 51 + 0.001*float64(i)}.Fix()
		b.Add(&build.Entry{Kind: place.Street, Source: place.Way, Number: int64(1000 + i), At: at, Line: []geo.Fixed{at}, Class: "residential", Names: []place.Name{{Text: name}}})
	}
	x := index(f, b)
	for _, q := range []string{"", "3 High Street, NP20 1AA", "casnewydd", "🙂", "שלום", "a\x00b", "12-16 high", "unit 3 high", "l'église", "ﬁﬂ½", "'''", "Ǆ ß ŉ", "\xff\xfe", "ถนนสุขุมวิท 12 เขต", "부천시 세종대로209", "丸の内一丁目9番1号", "1-2-3-4", "霞ケ関ｶﾞー", "الرشيد al-Rashid", "улица hai strit", "二十三十丁目", "karimkhanzand"} {
		f.Add(q, false)
		f.Add(q, true)
	}
	f.Fuzz(func(t *testing.T, q string, typing bool) {
		hits, err := x.Search(t.Context(), &place.Query{Text: q, Limit: 5, Typing: typing})
		if err != nil {
			t.Fatal(err)
		}
		if len(hits) > 5 {
			t.Errorf("%d hits", len(hits))
		}
		for i, h := range hits {
			if i > 0 && h.Score > hits[i-1].Score || h.Score < 0 || h.Score > 1 {
				t.Errorf("score %v after %v", h.Score, hits[max(0, i-1)].Score)
			}
			if _, ok := x.Find(h.ID, ""); !ok {
				t.Errorf("%s is not found", h.ID)
			}
			for _, m := range h.Match {
				if m.Quality < 0 || m.Quality > 1 || m.Field == "" || utf8.ValidString(q) && !utf8.ValidString(m.Query) {
					t.Errorf("%+v", m)
				}
			}
		}
	})
}

// FuzzFind reads ids.
func FuzzFind(f *testing.F) {
	x := index(f, town(f))
	for _, id := range []string{"poi.n50", "postcode.gb.np201aa", "address.n103", "street.w10", "poi.n50.3", "postcode.", "area.x9"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		if p, ok := x.Find(id, ""); ok && p.ID != id && len(id) < 12 {
			t.Logf("%q is %q", id, p.ID)
		}
	})
}
