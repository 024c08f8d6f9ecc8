package roadside

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/importer/landmarks"
	"github.com/waygate/waygate/index/roadside"
	"github.com/waygate/waygate/osm"
)

// charger reads a charging station for cars or lorries; nil for other tags. Stations
// for bicycles alone are tagged as such; those for cars often are not.
func charger(t osm.Tags) *roadside.Charger {
	if t.Get("amenity") != "charging_station" || landmarks.Disused(t) {
		return nil
	}
	cars := t.Get("motorcar") == "yes" || t.Get("car") == "yes" || t.Get("hgv") == "yes" || t.Get("motor_vehicle") == "yes"
	if !cars && (t.Get("bicycle") == "yes" || t.Get("bicycle") == "designated" || t.Get("motorcar") == "no") {
		return nil
	}
	s := &roadside.Charger{
		Name: strings.Clone(t.Get("name")), Operator: strings.Clone(t.Get("operator")), Hours: strings.Clone(t.Get("opening_hours")),
		Private: slices.Contains([]string{"private", "no", "customers", "permit"}, t.Get("access")),
	}
	if s.Operator == "" {
		s.Operator = strings.Clone(t.Get("network"))
	}
	if s.Operator == "" {
		s.Operator = strings.Clone(t.Get("brand"))
	}
	s.Capacity = count(t.Get("capacity"))
	for _, tag := range t {
		kind, ok := strings.CutPrefix(tag.Key, "socket:")
		if !ok || strings.ContainsRune(kind, ':') || tag.Value == "no" || tag.Value == "0" {
			continue
		}
		n := count(tag.Value)
		s.Sockets = append(s.Sockets, roadside.Socket{Kind: strings.Clone(kind), Count: n, KW: kilowatts(t.Get(tag.Key + ":output"))})
	}
	slices.SortFunc(s.Sockets, func(a, b roadside.Socket) int { return strings.Compare(a.Kind, b.Kind) })
	return s
}

// mostCount is more sockets or vehicles than one station has.
const mostCount = 500

// count reads a number of sockets or vehicles; 0 if it is not a number.
func count(v string) int {
	n, err := strconv.Atoi(strings.TrimSpace(v))
	if err != nil || n < 0 || n > mostCount {
		return 0
	}
	return n
}

// output matches a power as mapped: 150 kW, 22000 W, 7,4kW.
var output = regexp.MustCompile(`(?i)^\s*([0-9]+(?:[.,][0-9]+)?)\s*(kw|kva|w|va)?\s*$`)

const mostKW = 4000

// kilowatts returns the largest of several powers separated by ; or /; 0 if none can be
// read.
func kilowatts(v string) (most float64) {
	for part := range strings.FieldsFuncSeq(v, func(r rune) bool { return r == ';' || r == '/' }) {
		m := output.FindStringSubmatch(part)
		if m == nil {
			continue
		}
		kw, err := strconv.ParseFloat(strings.Replace(m[1], ",", ".", 1), 64)
		if err != nil {
			continue
		}
		unit := strings.ToLower(m[2])
		if unit == "w" || unit == "va" || unit == "" && kw > 1000 {
			kw /= 1000
		}
		if kw <= mostKW {
			most = max(most, kw)
		}
	}
	return most
}
