package style_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gotest.tools/v3/golden"

	"github.com/waygate/waygate/index/sprite"
	"github.com/waygate/waygate/style"
)

// TestBuiltinVersion checks that a change of a built-in theme, or of a layer, raises the
// version: an address with a version answers the same for good.
func TestBuiltinVersion(t *testing.T) {
	all := map[string]style.Kept{}
	for _, name := range style.Names() {
		theme, _ := style.Builtin(name)
		l, problems := style.Resolve(theme, nil)
		if len(problems) > 0 {
			t.Fatal(name, problems)
		}
		all[name] = style.Keep(l)
	}
	want, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	if golden.FlagUpdate() {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, err := w.Write(want)
		if err := errors.Join(err, w.Close(), os.WriteFile("versions/"+style.BuiltinVersion+".json.gz", packed.Bytes(), 0o644)); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, err := style.Version(style.BuiltinVersion); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the built-in themes are not those of version %s (%v): raise style.BuiltinVersion where that version has been released, then run go test ./style -run TestBuiltinVersion -update", style.BuiltinVersion, err)
	}
}

// TestEarlierVersions checks that a built-in theme of an earlier version is drawn as it was,
// with the region's boxes in the place of those it was kept with.
func TestEarlierVersions(t *testing.T) {
	boxes := style.Surroundings{Boxes: [][4]float64{{-3.2, 51.5, -2.8, 51.6}}}
	compiled := func(spec string, under style.Surroundings) string {
		raw, err := json.Marshal(style.Layers(look(t, `{"extends":`+strconv.Quote(spec)+`}`), under))
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	of := func(spec string, under style.Surroundings) string {
		theme, ok := style.Builtin(spec)
		if !ok {
			t.Fatalf("there is no %s", spec)
		}
		l, _ := style.Resolve(theme, nil)
		raw, err := json.Marshal(style.Layers(l, under))
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	for _, name := range style.Names() {
		before, now := of(name+"@1", boxes), of(name, boxes)
		if before == now || !strings.Contains(now, `"heath"`) || strings.Contains(before, `"heath"`) {
			t.Errorf("%s@1 is not as it was", name)
		}
		if box := `[[[[-3.2,51.5],[-2.8,51.5],[-2.8,51.6],[-3.2,51.6],[-3.2,51.5]]]]`; strings.Count(before, box) != strings.Count(now, box) || strings.Contains(before, `[[[[0,0]`) {
			t.Errorf("%s@1 does not leave out what lies in the region", name)
		}
		if world := of(name+"@1", style.Surroundings{WithoutWorld: true}); strings.Contains(world, `"source":"globe"`) || !strings.Contains(world, `"id":"earth"`) {
			t.Errorf("%s@1 lies over the world where that is not wanted", name)
		}
		if newest := of(name+"@"+style.BuiltinVersion, boxes); newest != now {
			t.Errorf("%s is not its newest version", name)
		}
	}
	if strings.Contains(compiled("dark@1", boxes), `"house-numbers"`) != strings.Contains(compiled("dark", boxes), `"house-numbers"`) {
		t.Error("a theme that extends an earlier version shows other groups")
	}
	for _, spec := range []string{"light@0", "light@99", "light@", "light@../1", "nothing@1"} {
		if _, ok := style.Builtin(spec); ok {
			t.Errorf("there is %s", spec)
		}
	}
}

// TestClassesSizesAndKinds changes lines by their class, names by their group, the font, and
// which points of interest are drawn.
func TestClassesSizesAndKinds(t *testing.T) {
	at := func(doc, id string) *style.Layer {
		layers := style.Layers(look(t, doc), style.Surroundings{})
		i := slices.IndexFunc(layers, func(d style.Layer) bool { return d.ID == id })
		if i < 0 {
			return nil
		}
		return &layers[i]
	}
	last := func(v any) float64 {
		list := v.([]any)
		f, err := strconv.ParseFloat(fmt.Sprint(list[len(list)-1]), 64)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for class, id := range map[string]string{"motorway": "road-motorway", "street": "bridge-street", "path": "road-path", "track": "road-track", "pedestrian": "road-pedestrian", "rail": "road-rail", "ferry": "ferries", "link": "road-link"} {
		plain, wide := at(`{}`, id), at(`{"roads":{"width":1.5},"widths":{"`+class+`":2}}`, id)
		factor := 2.0
		if class == "motorway" || class == "street" || class == "link" {
			factor = 3
		}
		if a, b := last(plain.Paint["line-width"]), last(wide.Paint["line-width"]); math.Abs(b-factor*a) > 1e-9 {
			t.Errorf("%s: %g becomes %g", id, a, b)
		}
		if gone := at(`{"widths":{"`+class+`":0}}`, id); gone != nil {
			t.Errorf("%s is drawn", id)
		}
	}
	names := map[string]string{"place_names": "towns", "road_names": "street-names", "pois": "pois", "stations": "stations", "water_names": "water-names", "house_numbers": "house-numbers", "shields": "road-shields"}
	for group, id := range names {
		doc := `{"labels":{"size":1.5,"font":"Noto Sans"},"sizes":{"` + group + `":2}}`
		plain, large := at(`{}`, id), at(doc, id)
		if a, b := fmt.Sprint(plain.Layout["text-size"]), fmt.Sprint(large.Layout["text-size"]); a == b {
			t.Errorf("%s: %s stays", id, a)
		} else if s, ok := plain.Layout["text-size"].([]any); ok && math.Abs(last(large.Layout["text-size"])-3*last(s)) > 1e-9 {
			t.Errorf("%s: %s becomes %s", id, a, b)
		}
		font := large.Layout["text-font"].([]string)
		if before := plain.Layout["text-font"].([]string); font[0] != strings.Replace(before[0], "Go", "Noto Sans", 1) || !slices.Equal(font[1:], before) {
			t.Errorf("%s: fonts %v", id, font)
		}
	}
	raw, _ := json.Marshal(at(`{"kinds":{"bank":false,"atm":false,"pub":true}}`, "pois").Filter)
	if !strings.Contains(string(raw), `["!",["in",["get","kind"],["literal",["atm","bank"]]]]`) {
		t.Errorf("points of interest are drawn by %s", raw)
	}
	// What is known by two names is as the other where a theme sets that alone.
	c := style.Colours(look(t, `{"extends":"streets","colours":{"wood":"#010203","wetland":"#040506"}}`))
	if c["scrub"] != "#010203" || c["wetland"] != "#040506" || style.Colours(look(t, `{}`))["wetland"] != style.Colours(look(t, `{}`))["field"] {
		t.Errorf("scrub is %s, wetland %s", c["scrub"], c["wetland"])
	}
	data, _ := sprite.File("sprite.json")
	for _, kind := range style.Kinds() {
		if !strings.Contains(string(data), strconv.Quote(kind)) {
			t.Errorf("%s has no icon", kind)
		}
	}
}
