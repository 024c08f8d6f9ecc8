package fold

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Every number that is a house number is read back, with letters behind it, before it, as a range
// and in every way that is one.
func TestHouseNumbersAreReadBack(t *testing.T) {
	for _, n := range []int{0, 1, 5, 9, 10, 19, 90, 99, 100, 909, 9999, 10009, 999999} {
		for _, c := range []struct {
			text string
			want HouseNumber
		}{
			{"%d", HouseNumber{}},
			{" %d ", HouseNumber{}},
			{"%da", HouseNumber{Letters: "a"}},
			{"%d A", HouseNumber{Letters: "a"}},
			{"%d/2", HouseNumber{Letters: "2"}},
			{"%d / 2 b", HouseNumber{Letters: "2b"}},
			{"unit %d", HouseNumber{Unit: true}},
			{"Flat.%d", HouseNumber{Unit: true}},
			{"No. %d", HouseNumber{}},
			{"a%d", HouseNumber{Letters: fmt.Sprintf("a%d", n)}},
			{"ab-%d", HouseNumber{Letters: fmt.Sprintf("ab%d", n)}},
		} {
			c.want.From, c.want.To = uint32(n), uint32(n)
			text := fmt.Sprintf(c.text, n)
			if h, ok := ParseHouse(text); !ok || h != c.want {
				t.Errorf("%q is %+v %v, want %+v", text, h, ok, c.want)
			}
			if first := FirstNumber(strings.TrimSpace(text)); first != uint32(n) {
				t.Errorf("the number of %q is %d", text, first)
			}
		}
	}
}

func TestRangesOfHouses(t *testing.T) {
	for text, want := range map[string]HouseNumber{
		"12-16": {From: 12, To: 16}, "12 - 16": {From: 12, To: 16}, "12–16": {From: 12, To: 16}, "12—16": {From: 12, To: 16}, "1-1000": {From: 1, To: 1000}, "9-10": {From: 9, To: 10},
		"1-1001": {From: 1, To: 1, Letters: "1001"}, "12-12": {From: 12, To: 12, Letters: "12"}, "16-12": {From: 16, To: 16, Letters: "12"}, "12-16-18": {From: 12, To: 12, Letters: "1618"},
		"12-a": {From: 12, To: 12, Letters: "a"}, "12-": {From: 12, To: 12}, "0-9": {From: 0, To: 9}, "12番16号": {From: 12, To: 12, Letters: "16"}, "12½": {From: 12, To: 12, Letters: "12"},
		"１２": {From: 12, To: 12}, "1234567": {From: 123456, To: 123456, Letters: "7"},
	} {
		if h, ok := ParseHouse(text); !ok || h != want {
			t.Errorf("%q is %+v %v, want %+v", text, h, ok, want)
		}
	}
	for text, want := range map[string]uint32{"1234567": NoNumber, "999999": 999999, " 12": 12, "1/2": 1, "/12": NoNumber, "": NoNumber, "12:": 12, "9": 9, "0": 0, "abc9": 9, "abcd9": NoNumber, "-9": NoNumber, "a.9": 9} {
		if got := FirstNumber(text); got != want {
			t.Errorf("the number of %q is %d, want %d", text, got, want)
		}
	}
}

// How well two numbers meet is said by the rules alone, in either order of what is equal.
func TestMeetsByItsRules(t *testing.T) {
	house := rapid.Custom(func(t *rapid.T) HouseNumber {
		h := HouseNumber{From: rapid.Uint32Range(1, 6).Draw(t, "from"), Letters: rapid.SampledFrom([]string{"", "", "a", "b", "4"}).Draw(t, "letters"), Unit: rapid.Bool().Draw(t, "unit")}
		h.To = h.From
		if h.Letters == "" {
			h.To += rapid.Uint32Range(0, 4).Draw(t, "more")
		}
		return h
	})
	rapid.Check(t, func(t *rapid.T) {
		asked, there := house.Draw(t, "asked"), house.Draw(t, "there")
		isRange := func(h HouseNumber) bool { return h.From < h.To }
		within := func(n uint32, h HouseNumber) bool { return n >= h.From && n <= h.To }
		want := 0.0
		same := asked.From == there.From && asked.To == there.To
		switch {
		case same && asked.Letters == there.Letters:
			want = 1
		case isRange(asked) && asked.From == there.From && there.Letters == strconv.FormatUint(uint64(asked.To), 10):
			want = 1
		case same, asked.From == there.From && asked.Letters+there.Letters == "":
			want = 0.85
		case isRange(there) && within(asked.From, there):
			want = 0.9 - 0.2*float64((asked.From-there.From)%2)
		case isRange(asked) && within(there.From, asked):
			want = 0.8
		}
		if asked.Unit != there.Unit {
			want *= 0.8
		}
		if got := asked.Meets(there); got < want-1e-9 || got > want+1e-9 {
			t.Fatalf("%+v meets %+v by %v, want %v", asked, there, got, want)
		}
	})
}

// LettersBefore is what a regular expression finds.
func TestLettersBeforeIsAPattern(t *testing.T) {
	pattern := regexp.MustCompile(`^\pL[-.]*(?:\pL[-.]*){0,2}([0-9])`)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("aZй-./ 019")), 0, 7, -1).Draw(t, "text")
		want := 0
		if at := pattern.FindStringSubmatchIndex(text); at != nil {
			want = at[2]
		}
		if got := LettersBefore(text); got != want {
			t.Fatalf("%q: %d, want %d", text, got, want)
		}
	})
}

func TestCutUnit(t *testing.T) {
	for text, want := range map[string]struct {
		rest string
		unit bool
	}{
		"unit 3": {"3", true}, "UNIT.3": {"3", true}, "unit . 3": {"3", true}, "unit": {"unit", false}, "unit ": {"unit ", false}, "unit3": {"unit3", false},
		"no 7": {"7", false}, "д. 9": {"9", false}, "block 4": {"4", true}, "nr.4": {"4", false}, "apt 9a": {"9a", true}, "": {"", false},
	} {
		if rest, unit := CutUnit(text); rest != want.rest || unit != want.unit {
			t.Errorf("%q: %q %v, want %q %v", text, rest, unit, want.rest, want.unit)
		}
	}
}
