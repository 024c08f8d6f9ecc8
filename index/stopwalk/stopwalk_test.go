package stopwalk

import (
	"slices"
	"testing"

	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
)

func drawn() [][]Walk {
	return [][]Walk{{{1, 60}, {2, 300}}, {{0, 75}}, {}, {{0, 0}}}
}

func TestWalksAreReadAsWritten(t *testing.T) {
	s, err := region.ReadSection(SectionName, regiontest.Written(t, New(drawn()).Write))
	if err != nil {
		t.Fatal(err)
	}
	x, err := Read(s)
	if err != nil || x.Stops() != 4 || x.Walks() != 4 {
		t.Fatal(x, err)
	}
	for i, want := range drawn() {
		if got := x.From(uint32(i)); !slices.Equal(got, want) {
			t.Errorf("from %d: %v, want %v", i, got, want)
		}
	}
}

func TestWrongWalksAreRefused(t *testing.T) {
	for name, x := range map[string]*Index{
		"no stop":               {},
		"walks of no stop":      {[]uint32{0}, []Walk{{0, 1}}},
		"a list that goes back": {[]uint32{0, 2, 1, 2}, []Walk{{0, 1}, {1, 1}}},
		"a stop that is none":   {[]uint32{0, 1}, []Walk{{1, 1}}},
		"back in time":          {[]uint32{0, 1}, []Walk{{0, -1}}},
		"a start":               {[]uint32{1, 1}, []Walk{{0, 1}}},
	} {
		s, err := region.ReadSection(SectionName, regiontest.Written(t, x.Write))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Read(s); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

func FuzzRead(f *testing.F) {
	whole := regiontest.Written(f, New(drawn()).Write)
	for _, p := range regiontest.Patches {
		f.Add(p, 0)
	}
	f.Fuzz(func(t *testing.T, patch []byte, cut int) {
		s, err := region.ReadSection(SectionName, regiontest.Patched(whole, patch, cut))
		if err != nil {
			return
		}
		x, err := Read(s)
		if err != nil {
			return
		}
		for i := range x.Stops() {
			for _, w := range x.From(uint32(i)) {
				_ = x.From(w.To)
			}
		}
	})
}
