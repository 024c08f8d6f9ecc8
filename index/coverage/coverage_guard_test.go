package coverage_test

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/waygate/waygate/index/coverage"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
)

// The grade is what exact fractions give, at the limits too.
func TestGradeIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pair := func(name string) (tagged, all uint32) {
			all = rapid.Uint32Range(0, 20).Draw(t, name)
			return rapid.Uint32Range(0, all).Draw(t, name+" tagged"), all
		}
		var tally coverage.Tally
		tally.UnderTagged, tally.Under = pair("under")
		tally.BridgesTagged, tally.Bridges = pair("bridges")
		tally.MinorTagged, tally.Minor = pair("minor")
		tally.MainTagged, tally.Main = pair("main")
		sum, weights := new(big.Rat), int64(0)
		for _, kind := range []struct {
			tagged, all uint32
			weight      int64
		}{{tally.UnderTagged, tally.Under, 5}, {tally.BridgesTagged, tally.Bridges, 2}, {tally.MinorTagged, tally.Minor, 2}, {tally.MainTagged, tally.Main, 1}} {
			if kind.all != 0 {
				sum.Add(sum, big.NewRat(kind.weight*int64(kind.tagged), int64(kind.all)))
				weights += kind.weight
			}
		}
		want := coverage.None
		if weights != 0 && sum.Sign() != 0 {
			sum.Quo(sum, big.NewRat(weights, 1))
			half, fifth := sum.Cmp(big.NewRat(1, 2)), sum.Cmp(big.NewRat(1, 5))
			if nearly(sum, 0.5) || nearly(sum, 0.2) {
				return // several kinds that add up to a limit: the last bit decides
			}
			switch {
			case half > 0:
				want = coverage.WellTagged
			case fifth > 0:
				want = coverage.Partial
			default:
				want = coverage.Sparse
			}
		}
		if got := tally.Grade(); got != want {
			t.Fatalf("%+v is %s, want %s", tally, got, want)
		}
	})
}

func nearly(sum *big.Rat, limit float64) bool {
	f, _ := sum.Float64()
	return f-limit < 1e-12 && limit-f < 1e-12
}

// A share at a limit has the better grade.
func TestGradeAtTheLimits(t *testing.T) {
	for _, c := range []struct {
		tagged, all uint32
		want        coverage.Grade
	}{{0, 1000, coverage.None}, {1, 1000, coverage.Sparse}, {199, 1000, coverage.Sparse}, {200, 1000, coverage.Partial}, {499, 1000, coverage.Partial}, {500, 1000, coverage.WellTagged}, {1000, 1000, coverage.WellTagged}} {
		tally := coverage.Tally{Under: c.all, UnderTagged: c.tagged}
		if got := tally.Grade(); got != c.want {
			t.Errorf("%d of %d is %s, want %s", c.tagged, c.all, got, c.want)
		}
	}
}

// Read refuses every section that breaks a rule in one place, and takes it before.
func TestReadRefuses(t *testing.T) {
	type section struct {
		cells   []coverage.Cell
		tallies []coverage.Tally
	}
	read := func(s section) error {
		var a region.Arrays
		region.Put(&a, "cells", s.cells)
		region.Put(&a, "tallies", s.tallies)
		parsed, err := region.ReadSection(coverage.SectionName, regiontest.Written(t, a.WriteFile))
		if err != nil {
			t.Fatal(err)
		}
		_, err = coverage.Read(parsed)
		return err
	}
	full := coverage.Tally{Under: 3, UnderTagged: 3, Bridges: 3, BridgesTagged: 3, Minor: 3, MinorTagged: 3, Main: 3, MainTagged: 3}
	sound := func() section {
		return section{[]coverage.Cell{{Row: 1, Column: 1}, {Row: 1, Column: 2}, {Row: 2, Column: 0}}, []coverage.Tally{full, full, full}}
	}
	if err := read(sound()); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*section){
		"a tally too few": func(s *section) { s.tallies = s.tallies[:2] }, "a cell too few": func(s *section) { s.cells = s.cells[:2] },
		"a cell twice": func(s *section) { s.cells[1] = s.cells[0] }, "cells out of order": func(s *section) { slices.Reverse(s.cells) },
		"under": func(s *section) { s.tallies[0].UnderTagged++ }, "bridges": func(s *section) { s.tallies[1].BridgesTagged++ },
		"minor": func(s *section) { s.tallies[2].MinorTagged++ }, "main": func(s *section) { s.tallies[2].MainTagged++ },
	} {
		s := sound()
		spoil(&s)
		if read(s) == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
}

func TestAllEnds(t *testing.T) {
	cells := map[coverage.Cell]*coverage.Tally{{Row: 1}: {}, {Row: 2}: {}, {Row: 3}: {}}
	g, err := coverage.Open(regiontest.Of(t, coverage.SectionName, coverage.Version, func(path string) error { return coverage.Write(path, cells) }))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for range g.All {
		if seen++; seen == 2 {
			break
		}
	}
	if seen != 2 {
		t.Errorf("%d cells", seen)
	}
}
