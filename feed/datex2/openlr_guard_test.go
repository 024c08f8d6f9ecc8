package datex2

import (
	"encoding/base64"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/waygate/waygate/road/openlr"
)

// lrPoint returns a point of a reference, written out; last ends the reference.
func lrPoint(last bool, lon float64, bearing, metres string) string {
	name := "openlrLocationReferencePoint"
	if last {
		name = "openlrLastLocationReferencePoint"
	}
	return fmt.Sprintf(`<%s><openlrCoordinate><latitude>50</latitude><longitude>%f</longitude></openlrCoordinate><openlrLineAttributes><openlrFunctionalRoadClass>FRC3</openlrFunctionalRoadClass>
		<openlrFormOfWay>singleCarriageway</openlrFormOfWay><openlrBearing>%s</openlrBearing></openlrLineAttributes>
		<openlrPathAttributes><openlrLowestFRCToNextLRPoint>FRC4</openlrLowestFRCToNextLRPoint><openlrDistanceToNextLRPoint>%s</openlrDistanceToNextLRPoint></openlrPathAttributes></%s>`, name, lon, bearing, metres, name)
}

// lines reads the references of a situation.
func lines(t *testing.T, inner string) (all []openlr.Line) {
	t.Helper()
	d, err := Read(strings.NewReader(situationOf(inner)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range d.Records {
		l, err := openlr.Parse(d.Records[i].Place.OpenLR)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, *l)
	}
	return all
}

// As many references and points are read as are allowed, each of its own, and no more.
func TestReferencesAreBounded(t *testing.T) {
	pair := lrPoint(false, 7, "90", "1000") + lrPoint(true, 7.02, "90", "0")
	code := base64.StdEncoding.EncodeToString(mustCode(t, pair))
	for _, form := range []string{pair, "<openlrBinary>" + code + "</openlrBinary>"} {
		for n, want := range map[int]int{1: 1, maxReferences - 1: maxReferences - 1, maxReferences: maxReferences, maxReferences + 1: maxReferences, 2 * maxReferences: maxReferences} {
			if got := len(lines(t, strings.Repeat(form, n))); got != want {
				t.Errorf("%d references are read as %d, want %d", n, got, want)
			}
		}
	}
	for _, n := range []int{2, 3, maxReferencePoints - 1, maxReferencePoints} {
		var b strings.Builder
		for i := range n {
			b.WriteString(lrPoint(i == n-1, 7+0.01*float64(i), "90", "700"))
		}
		all := lines(t, b.String())
		if len(all) != 1 || len(all[0].Points) != n {
			t.Fatalf("%d points are read as %+v", n, all)
		}
		for i, p := range all[0].Points {
			if math.Abs(p.At.Lon-7-0.01*float64(i)) > 1e-4 {
				t.Errorf("point %d of %d lies at %v", i, n, p.At)
			}
		}
	}
}

// A reference with more points than are read names no place: its points beyond must not take the
// place of its last one.
func TestReferencesWithTooManyPoints(t *testing.T) {
	for _, n := range []int{maxReferencePoints + 1, 2 * maxReferencePoints, 3*maxReferencePoints + 1} {
		var b strings.Builder
		for i := range n {
			b.WriteString(lrPoint(i == n-1, 7+0.01*float64(i), "90", "700"))
		}
		if all := lines(t, b.String()); len(all) != 0 {
			t.Errorf("%d points are read as %+v", n, all)
		}
		b.WriteString(lrPoint(false, 8, "90", "1000") + lrPoint(true, 8.02, "90", "0"))
		if all := lines(t, b.String()); len(all) != 1 || math.Abs(all[0].Points[0].At.Lon-8) > 1e-4 {
			t.Errorf("%d points and a short reference are read as %+v", n, all)
		}
	}
}

// A reference beyond those that are read does not change the last one that is.
func TestReferencesBeyondLeaveTheLastAlone(t *testing.T) {
	pair := func(lon float64) string {
		return lrPoint(false, lon, "90", "1000") + lrPoint(true, lon+0.02, "90", "0")
	}
	var b strings.Builder
	for i := range maxReferences + 2 {
		b.WriteString(pair(7 + 0.1*float64(i)))
	}
	all := lines(t, b.String())
	if len(all) != maxReferences {
		t.Fatalf("%d references are read", len(all))
	}
	last := all[maxReferences-1].Points
	if want := 7 + 0.1*(maxReferences-1); math.Abs(last[0].At.Lon-want) > 1e-4 || math.Abs(last[1].At.Lon-want-0.02) > 1e-4 {
		t.Errorf("the last reference is %+v, want it at %g", last, want)
	}
}

func mustCode(t *testing.T, inner string) []byte {
	t.Helper()
	d, err := Read(strings.NewReader(situationOf(inner)))
	if err != nil || len(d.Records) != 1 {
		t.Fatalf("%v %+v", err, d)
	}
	return d.Records[0].Place.OpenLR
}

// Offsets are shares of the first and the last stretch, at most all of them.
func TestOffsetsOfReferences(t *testing.T) {
	three := lrPoint(false, 7, "90", "1000") + lrPoint(false, 7.01, "90", "2000") + lrPoint(true, 7.03, "90", "0")
	for offsets, want := range map[[2]string][2]float64{
		{"", ""}: {0, 0}, {"500", "500"}: {0.5, 0.25}, {"0", "0"}: {0, 0}, {"-5", "-5"}: {0, 0}, {"1000", "2000"}: {1, 1}, {"5000", "5000"}: {1, 1}, {"NaN", "x"}: {0, 0}, {"250", ""}: {0.25, 0},
	} {
		inner := three + "<openlrOffsets>"
		for i, name := range []string{"openlrPositiveOffset", "openlrNegativeOffset"} {
			if offsets[i] != "" {
				inner += "<" + name + ">" + offsets[i] + "</" + name + ">"
			}
		}
		all := lines(t, inner+"</openlrOffsets>")
		if len(all) != 1 || math.Abs(all[0].Begin-want[0]) > 0.01 || math.Abs(all[0].End-want[1]) > 0.01 {
			t.Errorf("offsets of %v: %+v, want %v", offsets, all, want)
		}
	}
}

// A reference with a number out of its range names no place.
func TestReferencesOutOfRange(t *testing.T) {
	for values, ok := range map[[2]string]bool{
		{"0", "0"}: true, {"360", "1000"}: true, {"360.5", "1000"}: false, {"-1", "1000"}: false, {"90", "-1"}: false, {"NaN", "1000"}: false, {"90", "NaN"}: false,
	} {
		all := lines(t, lrPoint(false, 7, values[0], values[1])+lrPoint(true, 7.02, "90", "0"))
		if ok != (len(all) == 1) {
			t.Errorf("a bearing and a distance of %v: %+v", values, all)
		}
	}
	if all := lines(t, lrPoint(true, 7, "90", "0")); len(all) != 0 {
		t.Errorf("a single point is %+v", all)
	}
}

// Each form of way and each class has its number; what is none of them is undefined, or the
// lowest class.
func TestFormsAndClassesOfReferences(t *testing.T) {
	for word, want := range map[string]uint8{
		"undefined": 0, "motorway": 1, "multipleCarriageway": 2, "singleCarriageway": 3, "roundabout": 4, "trafficSquare": 5, "slipRoad": 6, "other": 7, "bogus": 0, "": 0,
	} {
		all := lines(t, strings.ReplaceAll(lrPoint(false, 7, "90", "1000")+lrPoint(true, 7.02, "90", "0"), "singleCarriageway", word))
		if len(all) != 1 || all[0].Points[0].Form != want || all[0].Points[1].Form != want {
			t.Errorf("%q is %+v, want %d", word, all, want)
		}
	}
	for word, want := range map[string]uint8{"FRC0": 0, "FRC1": 1, "FRC7": 7, "FRC8": 7, "3": 3, "FRC": 0, "x": 0, "FRC999": 7} {
		all := lines(t, strings.ReplaceAll(strings.ReplaceAll(lrPoint(false, 7, "90", "1000")+lrPoint(true, 7.02, "90", "0"), "FRC3", word), "FRC4", word))
		if len(all) != 1 || all[0].Points[0].Class != want || all[0].Points[1].Class != want || all[0].Points[0].Lowest != want {
			t.Errorf("%q is %+v, want %d", word, all, want)
		}
	}
}
