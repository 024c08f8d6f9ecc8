package graph

import "testing"

func TestParseLevels(t *testing.T) {
	for _, c := range []struct {
		levels, names string
		want          Levels
	}{
		{"", "", Levels{}},
		{"0", "", Levels{Single: true}},
		{"3", "", Levels{Single: true, Level: 3}},
		{"-1", "", Levels{Single: true, Level: -1}},
		{"+1", "", Levels{Single: true, Level: 1}},
		{"0.5", "Mezzanine", Levels{Single: true, Level: 0.5, Names: 1, Name: "Mezzanine"}},
		{"0;1", "", Levels{Changes: true}},
		{" 1 ; 2 ", "", Levels{Changes: true}},
		{"1;1", "", Levels{Changes: true}},
		{"0-4", "", Levels{Changes: true}},
		{"4-4", "", Levels{Single: true, Level: 4}},
		{"-2--1", "", Levels{Changes: true}},
		{"-1;0-2", "", Levels{Changes: true}},
		{"4-0", "", Levels{}},
		{"ground", "G", Levels{Names: 1, Name: "G"}},
		{"ground;2", "", Levels{Single: true, Level: 2}},
		{"1e9", "", Levels{}},
		{"NaN", "", Levels{}},
		{"NaN-NaN", "", Levels{}},
		{"-", "", Levels{}},
		{"--", "", Levels{}},
		{"1-", "", Levels{}},
		{";;", ";", Levels{}},
		{"1", "Hall; Shops", Levels{Single: true, Level: 1, Names: 2, Name: "Hall"}},
	} {
		if got := ParseLevels(c.levels, c.names); got != c.want {
			t.Errorf("%q, %q: %+v, want %+v", c.levels, c.names, got, c.want)
		}
	}
}

func FuzzParseLevels(f *testing.F) {
	for _, s := range []string{"0;1", "-2--1", "1-3", "", ";", "-", "1e400", "0x1p3"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, levels, names string) {
		l := ParseLevels(levels, names)
		if l.Single && l.Changes || l.Level != l.Level || (l.Names > 0) != (l.Name != "") || !l.Single && l.Level != 0 {
			t.Errorf("%q, %q: %+v", levels, names, l)
		}
	})
}

func TestShareLevel(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"0", "0", true},
		{"0", "1", false},
		{"0;1", "1;2", true},
		{"0-3", "2", true},
		{"-2--1", "0", false},
		{"-1", "-1;0", true},
		{"0", "", true},
		{"", "", true},
		{"ground", "1", true},
		{"ground;0", "1", false},
	} {
		if got := ShareLevel(c.a, c.b); got != c.want || ShareLevel(c.b, c.a) != got {
			t.Errorf("%q and %q have a floor in common: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
