package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxima lists the values of a member that may make a request dear.
func (w *walk) maxima(o *operation, l requestMember) (all []string) {
	f, parameter := l.form, l.path[0] == '?' || l.path[0] == '{'
	name := l.path[strings.LastIndexAny(l.path, ".?{")+1:]
	queryInt := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	switch {
	case parameter && len(parameterValues[name]) > 0 && len(f.Enum) == 0:
		all = slices.Clone(parameterValues[name])
		for i, v := range all {
			all[i] = strings.ReplaceAll(v, "BOX", w.box())
		}
	case len(f.Enum) > 0:
		for _, v := range f.Enum {
			if v != f.Default {
				all = append(all, fmt.Sprint(v))
			}
		}
	case f.Type == "integer" || f.Type == "number":
		most := 1e9
		if f.Maximum != nil {
			most = *f.Maximum
		}
		if all = append(all, queryInt(most)); strings.HasPrefix(l.path, "costing_options") {
			break
		}
		if f.Minimum == nil {
			all = append(all, "0.001")
		} else if *f.Minimum < most {
			all = append(all, queryInt(*f.Minimum))
		}
	case l.path == lineBody:
		all = append(all, "40000 "+spread, "20 "+spread)
	case f.Type == "boolean":
		all = append(all, strconv.FormatBool(f.Default != true))
	case f.Type == "array":
		n := 0
		if f.MaxItems != nil {
			n = *f.MaxItems
		} else {
			_, example := o.body()
			m := &maker{d: w.d, parents: w.d.requestShape(o).parents, spots: w.spots, way: w.spots[:2], fill: spread}
			n = m.fitting(f, name, example[l.path])
		}
		fills := []string{""}
		if w.placed(f) {
			fills = []string{" " + spread, " " + alongLine, " " + inOnePlace}
		}
		for _, fill := range fills {
			all = append(all, strconv.Itoa(n)+fill)
		}
	case f.Type == "string" && strings.Contains(f.Description, "polyline") && f.MaxLength != nil:
		all = append(all, fmt.Sprintf("%d %s", *f.MaxLength, spread), fmt.Sprintf("%d %s", *f.MaxLength, alongLine))
	case f.Type == "string" && parameter && most(f) > 0 && (name == "coordinates}" || name == "coordinates"):
		all = append(all, fmt.Sprintf("%d %s", most(f), spread), fmt.Sprintf("%d %s", most(f), alongLine), fmt.Sprintf("%d %s", most(f), inOnePlace))
	case name == "language" || name == "lang":
		all = append(all, "cy", "de")
	case name == "id" || strings.Contains(name, "time") || strings.Contains(f.Description, "YYYY-MM-DD"): // must be something that is there
	case f.Type == "string" && f.Format == "" && f.Pattern == "" && !strings.Contains(name, "url") && !parameter || f.Type == "string" && f.MaxLength != nil:
		n := 200_000
		if f.MaxLength != nil {
			n = *f.MaxLength
		}
		if n > 3 {
			all = append(all, strconv.Itoa(n)+" words", strconv.Itoa(n)+" letters")
		}
	}
	return all
}

// parameterValues are of parameters whose text has a form of its own.
var parameterValues = map[string][]string{
	"annotations": {"duration,distance", "true"},
	"exclude":     {"tolls,ferries", "tolls,highways,ferries,bridges,tunnels"},
	"avoid":       {"tolls,highways,ferries"},
	"bbox":        {"BOX"},
	"viewbox":     {"BOX"},
	"modes":       {"bus,coach,tram,metro,rail,ferry,cable_car,other"},
	"osm_tag":     {"!amenity:pub", "building"},
	"layer":       {"poi", "house"},
	"osm_ids":     {strings.TrimSuffix(strings.Repeat("W1,N1,", 25), ",")},

	"countrycodes":      {"gb"},
	"exclude_place_ids": {strings.TrimSuffix(strings.Repeat("W1,N1,", 25), ",")},
	"categories":        {"building", "pub,castle,station,building,shop,school,church,parking,restaurant"},
	"kinds":             {"address,street,locality,poi,postcode,area"},
	"markers":           {"50 spread"},
	"size":              {"1280x1280@2x"},
	"style":             {"dark", "satellite"},
	"format":            {"webp", "jpeg"},
	"buildings3d":       {"1"},
	"pitch":             {"85"},
	"bearing":           {"45"},
	"route":             {"6000 spread"},
}

// box returns the region's, as a parameter.
func (w *walk) box() string {
	low, high := w.spots[0], w.spots[0]
	for _, p := range w.spots {
		low, high = spot{min(low.lat, p.lat), min(low.lon, p.lon)}, spot{max(high.lat, p.lat), max(high.lon, p.lon)}
	}
	return fmt.Sprintf("%.4f,%.4f,%.4f,%.4f", low.lon, low.lat, high.lon, high.lat)
}

// placed reports whether items of a list have places.
func (w *walk) placed(f *form) bool {
	text, _ := json.Marshal((&maker{d: w.d, spots: w.spots, way: w.spots[:2], fill: spread}).list(f, "", 1, nil))
	return strings.Contains(string(text), `"lat"`)
}
