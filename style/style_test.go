package style_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gotest.tools/v3/golden"

	"github.com/waygate/waygate/index/glyph"
	"github.com/waygate/waygate/index/sprite"
	"github.com/waygate/waygate/style"
)

// schema returns the layers of the Protomaps v4 tiles, and those of relief.
func schema() []string {
	return []string{"earth", "landuse", "water", "buildings", "roads", "boundaries", "pois", "places", "landcover", "hillshade", "contours"}
}

func look(t *testing.T, doc string) *style.ResolvedTheme {
	t.Helper()
	theme, problems := style.Read([]byte(doc))
	if len(problems) > 0 {
		t.Fatalf("%s: %v", doc, problems)
	}
	l, problems := style.Resolve(theme, nil)
	if len(problems) > 0 {
		t.Fatalf("%s: %v", doc, problems)
	}
	return l
}

func document(l *style.ResolvedTheme) style.Document {
	return style.Document{
		Version: 8, Name: l.Name(), Sprite: "https://maps.example.org/sprite/sprite", Glyphs: "https://maps.example.org/fonts/{fontstack}/{range}.pbf",
		Sources: map[string]style.Source{style.SourceName: {
			Type: "vector", Tiles: []string{"https://maps.example.org/tiles/ely/{z}/{x}/{y}.mvt"}, MaxZoom: 15,
			Bounds: [4]float64{-180, -85, 180, 85}, Attribution: "© OpenStreetMap contributors",
		}},
		Layers: style.Layers(l, style.Surroundings{}),
	}
}

// Every built-in theme holds together: layers with ids of their own, of a layer
// that the tiles have, fonts that exist.
func TestBuiltinThemes(t *testing.T) {
	fonts, err := glyph.New()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"backdrop", "dark", "dataviz", "fleet", "light", "midnight", "navigator-day", "navigator-night", "outdoor", "print", "streets"}
	if names := style.Names(); !slices.Equal(names, want) {
		t.Fatalf("themes %v, want %v", names, want)
	}
	for _, name := range style.Names() {
		l := look(t, fmt.Sprintf(`{"extends":%q,"name":%q}`, name, name))
		d := document(l)
		ids := map[string]bool{}
		for _, at := range d.Layers {
			if ids[at.ID] {
				t.Errorf("%s: layer %q occurs twice", name, at.ID)
			}
			ids[at.ID] = true
			if at.Type != "background" && (at.Source != style.SourceName && at.Source != style.GlobeName || !slices.Contains(schema(), at.SourceLayer)) {
				t.Errorf("%s: layer %q draws %q of %q", name, at.ID, at.SourceLayer, at.Source)
			}
			if f, ok := at.Layout["text-font"].([]string); at.Layout["text-field"] != nil && !ok {
				t.Errorf("%s: layer %q names no font", name, at.ID)
			} else if _, known := fonts.Range(strings.Join(f, ","), 0); ok && !known {
				t.Errorf("%s: layer %q: no font of %v", name, at.ID, f)
			}
		}
		if name == style.Default {
			raw, err := json.MarshalIndent(d, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			golden.Assert(t, string(raw)+"\n", name+".json")
		}
	}
}

// Letters can be read: 4.5 to 1 against their halo and against what they mostly
// lie on (WCAG 2.2, 1.4.3).
func TestContrast(t *testing.T) {
	grounds := map[string][]string{
		"text": {"earth", "text_halo"}, "text_soft": {"text_halo"}, "text_road": {"text_halo"}, "text_water": {"text_water_halo"},
		"text_park": {"text_halo"}, "text_station": {"text_halo"}, "shield": {"shield_halo"}, "motorway_shield": {"motorway_shield_halo"},
		"european_shield": {"european_shield_halo"},
	}
	for _, name := range style.Names() {
		colours := style.Colours(look(t, fmt.Sprintf(`{"extends":%q}`, name)))
		for text, under := range grounds {
			for _, ground := range under {
				if c := contrast(t, colours[text], colours[ground]); c < 4.5 {
					t.Errorf("%s: %s %s on %s %s has a contrast of %.2f", name, text, colours[text], ground, colours[ground], c)
				}
			}
		}
	}
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	p, q := luminance(t, a), luminance(t, b)
	return (max(p, q) + 0.05) / (min(p, q) + 0.05)
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	var sum float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(v) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

func ids(l *style.ResolvedTheme) []string {
	var out []string
	for _, d := range style.Layers(l, style.Surroundings{}) {
		out = append(out, d.ID)
	}
	return out
}

// The values of a theme show in its style.
func TestThemeSaysWhatIsDrawn(t *testing.T) {
	plain := style.Layers(look(t, `{}`), style.Surroundings{})
	width := func(l *style.ResolvedTheme, id, of string) string {
		for _, d := range style.Layers(l, style.Surroundings{}) {
			if d.ID == id {
				raw, err := json.Marshal([]any{d.Paint[of], d.Layout[of]})
				if err != nil {
					t.Fatal(err)
				}
				return string(raw)
			}
		}
		return ""
	}
	if l := look(t, `{"show":{"pois":false,"buildings":false}}`); slices.Contains(ids(l), "pois") || slices.Contains(ids(l), "buildings") || !slices.Contains(ids(l), "stations") {
		t.Errorf("hidden groups: %v", ids(l))
	}
	if l := look(t, `{"show":{"buildings_3d":true}}`); !slices.Contains(ids(l), "buildings-3d") {
		t.Error("no blocks of buildings")
	}
	if l := look(t, `{"roads":{"casing":0}}`); slices.Contains(ids(l), "road-street-casing") {
		t.Error("casings that were taken away are drawn")
	}
	wide := look(t, `{"roads":{"width":2},"labels":{"size":2}}`)
	for id, of := range map[string]string{"road-street": "line-width", "towns": "text-size"} {
		if a, b := width(look(t, `{}`), id, of), width(wide, id, of); a == b || a == "" {
			t.Errorf("%s of %s is %s with and without a factor of two", of, id, a)
		}
	}
	welsh, err := json.Marshal(style.Layers(look(t, `{"labels":{"language":"cy"}}`), style.Surroundings{}))
	if err != nil || !strings.Contains(string(welsh), `"name:cy"`) {
		t.Errorf("no Welsh names, %v", err)
	}
	if sea := style.Layers(look(t, `{"colours":{"water":"#abc"}}`), style.Surroundings{})[0].Paint["background-color"]; sea != "#aabbcc" {
		t.Errorf("under everything lies %v", sea)
	}
	if !slices.Contains(ids(look(t, `{}`)), "globe-cities") || slices.Contains(ids(look(t, `{"show":{"place_names":false}}`)), "globe-cities") {
		t.Error("names of the world are shown where those of the region are not, or the other way round")
	}
	if slices.ContainsFunc(style.Layers(look(t, `{}`), style.Surroundings{WithoutWorld: true}), func(d style.Layer) bool { return d.Source == style.GlobeName }) {
		t.Error("a map of the world lies over another")
	}
	if len(plain) <= len(style.Layers(look(t, `{}`), style.Surroundings{WithoutWorld: true})) {
		t.Error("the world adds no layers")
	}
}

// The world's land lies under all of the region's, its names under the region's.
func TestGlobeLiesUnderTheRegion(t *testing.T) {
	order := ids(look(t, `{}`))
	for _, pair := range [][2]string{{"void", "globe-earth"}, {"globe-border-country", "earth"}, {"globe-shore", "earth"}, {"globe-cities", "villages"}, {"globe-countries", "countries"}} {
		if a, b := slices.Index(order, pair[0]), slices.Index(order, pair[1]); a < 0 || b < a {
			t.Errorf("%s is at %d, %s at %d", pair[0], a, pair[1], b)
		}
	}
	raw, err := json.Marshal(style.Layers(look(t, `{}`), style.Surroundings{Boxes: [][4]float64{{-3.2, 51.5, -2.8, 51.6}}}))
	if err != nil || strings.Count(string(raw), `[[[[-3.2,51.5],[-2.8,51.5],[-2.8,51.6],[-3.2,51.6],[-3.2,51.5]]]]`) != 3 {
		t.Errorf("cities, towns and countries are not left out in the region: %v", err)
	}
}

func TestProblems(t *testing.T) {
	for doc, want := range map[string][]string{
		`[]`: {""}, `null`: {""}, `{`: {""},
		`{"colours":{"water":"blue"}}`:                               {"colours.water"},
		`{"colours":{"water":"#12"},"colors":{}}`:                    {"colors", "colours.water"},
		`{"colours":{"see":"#123456"}}`:                              {"colours.see"},
		`{"colours":7}`:                                              {"colours"},
		`{"roads":{"width":0.1,"casing":5,"x":1}}`:                   {"roads.casing", "roads.width", "roads.x"},
		`{"labels":{"size":"2","halo":null,"language":"x y"}}`:       {"labels.halo", "labels.language", "labels.size"},
		`{"widths":{"path":5,"lane":1},"sizes":{"pois":0.1}}`:        {"sizes.pois", "widths.lane", "widths.path"},
		`{"kinds":{"bank":0,"planet":true},"labels":{"font":"a,b"}}`: {"kinds.bank", "kinds.planet", "labels.font"},
		`{"show":{"pois":1,"sea":true}}`:                             {"show.pois", "show.sea"},
		`{"extends":"A b"}`:                                          {"extends"},
		`{"name":null}`:                                              {"name"},
		fmt.Sprintf(`{"name":%q}`, strings.Repeat("é", 121)):         {"name"},
		strings.Repeat(" ", style.MaxDocument) + `{}`:                {""},
		`{"version":8,"sources":{},"layers":[]}`:                     {"layers"},
		`{"version":8,"sources":{},"layers":["` + strings.Repeat("x", style.MaxDocument) + `"]}`: {"layers"},
	} {
		theme, problems := style.Read([]byte(doc))
		var paths []string
		for _, p := range problems {
			paths = append(paths, p.Path)
			if p.Message == "" {
				t.Errorf("%.60s: %s has no message", doc, p.Path)
			}
		}
		slices.Sort(paths)
		if !slices.Equal(paths, want) || theme != nil {
			t.Errorf("%.60s: problems %v, want %v", doc, paths, want)
		}
	}
}

// Themes extend one another, but not in a circle and not for ever.
func TestResolve(t *testing.T) {
	themes := map[string]string{
		"sea": `{"extends":"dark","colours":{"water":"#000011"}}`, "deep": `{"extends":"sea@2","colours":{"earth":"#000022"}}`,
		"a": `{"extends":"b"}`, "b": `{"extends":"a"}`, "self": `{"extends":"self"}`,
	}
	for i := range 2 * style.MaxChain {
		themes[fmt.Sprintf("long-%d", i)] = fmt.Sprintf(`{"extends":"long-%d"}`, i+1)
	}
	for i := range style.MaxChain - 1 { // as many as there may be, of which the last is stored with what it extends
		themes[fmt.Sprintf("most-%d", i)] = fmt.Sprintf(`{"extends":"most-%d"}`, i+1)
	}
	themes[fmt.Sprintf("most-%d", style.MaxChain-1)] = `{"extends":"light@2"}`
	themes["more"] = `{"extends":"most-0"}`
	named := func(spec string) (*style.Theme, bool) {
		id, _, _ := strings.Cut(spec, "@")
		theme, problems := style.Read([]byte(themes[id]))
		return theme, len(problems) == 0
	}
	theme, _ := named("deep")
	l, problems := style.Resolve(theme, named)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	c := style.Colours(l)
	if dark := style.Colours(look(t, `{"extends":"dark"}`)); c["earth"] != "#000022" || c["water"] != "#000011" || c["text"] != dark["text"] {
		t.Errorf("earth %s, water %s, text %s", c["earth"], c["water"], c["text"])
	}
	if most, _ := named("most-0"); most != nil {
		if _, problems := style.Resolve(most, named); len(problems) > 0 {
			t.Error(problems)
		}
	}
	for _, name := range []string{"a", "self", "long-0", "more"} {
		theme, _ := named(name)
		if _, problems := style.Resolve(theme, named); len(problems) != 1 || problems[0].Path != "extends" {
			t.Errorf("%s: %v", name, problems)
		}
	}
	if _, problems := style.Resolve(&style.Theme{Extends: "nowhere"}, nil); len(problems) != 1 {
		t.Errorf("a theme that is not there: %v", problems)
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range style.Names() {
		f.Add(`{"extends":"` + name + `"}`)
	}
	f.Add(`{"colours":{"water":"#123"},"roads":{"width":1},"labels":{"size":1},"show":{"pois":true}}`)
	f.Fuzz(func(t *testing.T, doc string) {
		theme, problems := style.Read([]byte(doc))
		if (theme == nil) != (len(problems) > 0) {
			t.Fatalf("theme %v with problems %v", theme, problems)
		}
		if theme == nil {
			return
		}
		raw, err := json.Marshal(theme)
		if err != nil {
			t.Fatal(err)
		}
		if _, problems := style.Read(raw); len(problems) > 0 {
			t.Fatalf("%s was read and written as %s: %v", doc, raw, problems)
		}
	})
}

// Land without a map is hatched with a word at its edge in the language of labels, and roads
// beyond the map are paler at every zoom.
func TestWhereTheMapEnds(t *testing.T) {
	layers := style.Layers(look(t, `{"labels":{"language":"fr-CA"}}`), style.Surroundings{})
	at := func(id string) style.Layer {
		i := slices.IndexFunc(layers, func(d style.Layer) bool { return d.ID == id })
		if i < 0 {
			t.Fatalf("there is no layer %s", id)
		}
		return layers[i]
	}
	for _, id := range []string{"unmapped", "globe-unmapped"} {
		if at(id).Paint["fill-pattern"] != "hatch" {
			t.Errorf("%s: %v", id, at(id).Paint)
		}
	}
	if text := at("unmapped-edge").Layout["text-field"]; text != "Pas de données ici" {
		t.Errorf("at the edge stands %v", text)
	}
	for _, d := range layers {
		raw, err := json.Marshal(d.Paint["line-opacity"])
		if err != nil {
			t.Fatal(err)
		}
		if d.Type == "line" && d.SourceLayer == "roads" && !strings.Contains(string(raw), `["to-number",["get","beyond"]]`) {
			t.Errorf("%s ends hard: %s", d.ID, raw)
		}
	}
}

// What covers the land ends under the colour of the ground, with water and the hatching over
// that, and on small maps the ground of a region is as that of the world round it.
func TestLandCoverEnds(t *testing.T) {
	for _, theme := range []string{"light", "dark", "outdoor"} {
		layers := style.Layers(look(t, `{"extends":"`+theme+`"}`), style.Surroundings{})
		place := func(id string) int {
			i := slices.IndexFunc(layers, func(d style.Layer) bool { return d.ID == id })
			if i < 0 {
				t.Fatalf("there is no layer %s", id)
			}
			return i
		}
		for _, order := range [][2]string{
			{"landcover", "land-ends"},
			{"landuse", "land-ends"},
			{"reserves", "land-ends"},
			{"hillshade-shade", "land-ends"},
			{"land-ends", "unmapped"},
			{"unmapped", "water"},
			{"earth", "world-landcover"},
			{"world-hillshade-shade", "landcover"},
		} {
			if place(order[0]) > place(order[1]) {
				t.Errorf("%s: %s is drawn over %s", theme, order[0], order[1])
			}
		}
		if ends, ground := layers[place("land-ends")], layers[place("earth")]; ends.Paint["fill-color"] != ground.Paint["fill-color"] {
			t.Errorf("%s: land cover ends in %v, the ground is %v", theme, ends.Paint, ground.Paint)
		}
		for _, id := range []string{"landcover", "hillshade-light", "hillshade-shade"} {
			here, there := layers[place("world-"+id)], layers[place("globe-"+id)]
			if fmt.Sprint(here.Paint, here.MinZoom) != fmt.Sprint(there.Paint, there.MinZoom) {
				t.Errorf("%s: %s is %v in a region, %v round it", theme, id, here.Paint, there.Paint)
			}
		}
	}
}

// A name in letters that the renderer cannot write is there in English, in every layer of names.
func TestNamesCanBeWritten(t *testing.T) {
	for _, d := range style.Layers(look(t, `{"extends":"streets","labels":{"language":"th"}}`), style.Surroundings{}) {
		raw, err := json.Marshal(d.Layout["text-field"])
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(raw), `"name"`) && !(strings.Contains(string(raw), `["is-supported-script",`) && strings.Contains(string(raw), `"name:en"`)) {
			t.Errorf("%s writes %s", d.ID, raw)
		}
	}
}

// Lines of trams are so narrow that the street they run in is seen.
func TestTramsLeaveStreets(t *testing.T) {
	widths := map[string]float64{}
	for _, d := range style.Layers(look(t, `{"extends":"streets"}`), style.Surroundings{}) {
		if stops, ok := d.Paint["line-width"].([]any); ok {
			widths[d.ID], _ = strconv.ParseFloat(fmt.Sprint(stops[len(stops)-1]), 64)
		}
	}
	if tram, street := widths["road-transit-lines"], widths["road-street"]; tram == 0 || street < 6*tram {
		t.Errorf("a tram is %v wide in a street of %v", tram, street)
	}
}

// Renderers place the last layers first: what gives way to what.
func TestLabelsGiveWay(t *testing.T) {
	order := ids(look(t, `{"extends":"streets","show":{"contours":true}}`))
	for _, pair := range [][2]string{
		{"pois", "street-names"},
		{"stops", "street-names"},
		{"house-numbers", "pois"},
		{"contour-heights", "pois"},
		{"street-names", "road-names"},
		{"road-names", "landmarks"},
		{"landmarks", "stations"},
		{"stations", "cities"},
		{"globe-towns", "villages"},
		{"countries", "cities"},
		{"one-ways", "street-names"},
	} {
		if a, b := slices.Index(order, pair[0]), slices.Index(order, pair[1]); a < 0 || b < 0 || b < a {
			t.Errorf("%s is at %d, %s at %d", pair[0], a, pair[1], b)
		}
	}
}

// Icons that a style names are in the sprite.
func TestIconsAreThere(t *testing.T) {
	raw, _ := sprite.File("sprite.json")
	var icons map[string]any
	if err := json.Unmarshal(raw, &icons); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		list, ok := v.([]any)
		if !ok {
			return
		}
		if len(list) == 2 && list[0] == "image" {
			if name, ok := list[1].(string); ok {
				seen[name] = true
			}
		}
		for _, part := range list {
			walk(part)
		}
	}
	for _, name := range style.Names() {
		for _, d := range style.Layers(look(t, fmt.Sprintf(`{"extends":%q}`, name)), style.Surroundings{}) {
			if icon, ok := d.Layout["icon-image"].(string); ok {
				seen[icon] = true
			}
			walk(d.Layout["icon-image"])
		}
	}
	for name := range seen {
		if icons[name] == nil {
			t.Errorf("no icon is called %q", name)
		}
	}
	if !seen["arrow"] || !seen["shield"] || !seen["dot"] {
		t.Errorf("styles name %v", seen)
	}
}
