package zones

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/index/zone"
)

// regulations are the conditions on which a zone bans vehicles: trees of sets. They are
// converted to rules by testing every kind of vehicle in every stretch of time between
// the days that they name. Conditions that rules cannot express, such as the age of a
// vehicle or its owner, are taken as met, so that the ban applies, and named in the
// rules' notes.
type regulations struct {
	trees    []*element
	boundary *zone.Geometry
	changes  []time.Time     // when validity begins or ends
	unsaid   map[string]bool // what conditions ask for that rules cannot say
	nodes    int
}

// Limits of the conditions of one zone.
const (
	mostConditions = 500
	mostChanges    = 40
)

// answer is the result of a condition for a vehicle at a time.
type answer uint8

const (
	no answer = iota
	unknown
	yes
)

// add adds a tree of conditions.
func (r *regulations) add(c *element) error {
	if r.unsaid == nil {
		r.unsaid = map[string]bool{}
	}
	r.trees = append(r.trees, c)
	return r.look(c, false)
}

// look collects the areas and the days of a tree.
func (r *regulations) look(c *element, negated bool) error {
	if r.nodes++; r.nodes > mostConditions {
		return fmt.Errorf("it has more than %d conditions", mostConditions)
	}
	negated = negated != (c.text("negate") == "true")
	switch kindOf(c) {
	case "ConditionSet":
		if operator := c.text("operator"); operator != "and" && operator != "or" {
			return fmt.Errorf("a set of conditions is joined by %q", operator)
		}
		var err error
		c.each("conditions", func(one *element) { err = errors.Join(err, r.look(one, negated)) })
		return err
	case "LocationCondition":
		if negated {
			return errors.New("it leaves an area out by a condition")
		}
		if by := c.find("locationByOrder"); by != nil {
			return polygons(by, r.boundary)
		}
	case "ValidityCondition":
		spec := c.find("validityByOrder", "validityTimeSpecification")
		if spec == nil {
			return nil
		}
		if spec.find("validPeriod") != nil || spec.find("exceptionPeriod") != nil {
			r.unsaid["hours"] = true
		}
		for _, name := range []string{"overallStartTime", "overallEndTime"} {
			if at, err := time.Parse(time.RFC3339, spec.text(name)); err == nil {
				r.changes = append(r.changes, at)
			}
		}
		if len(r.changes) > mostChanges {
			return fmt.Errorf("it changes more than %d times", mostChanges)
		}
	case "VehicleCondition":
		if by := c.find("vehicleCharacteristics"); by != nil {
			r.characteristics(by)
		}
	default:
		r.unsaid[kindOf(c)] = true
	}
	return nil
}

// kindOf returns the type of a condition without its prefix.
func kindOf(c *element) string {
	kind := c.attribute("type")
	return kind[strings.LastIndexByte(kind, ':')+1:]
}

// kind is a vehicle as conditions describe it.
type kind struct {
	category string // of the EU: m1, n2, l
	fuel     string // one of those of rules
	euro     int    // 0 where it has none
}

// Words of vehicles: the categories of rules with those of the EU, and fuels.
var (
	categories = []struct {
		name string
		eu   []string
	}{
		{"car", []string{"m1"}},
		{"van", []string{"n1"}},
		{"minibus", []string{"m2"}},
		{"hgv", []string{"n2", "n3"}},
		{"bus", []string{"m3"}},
		{"coach", []string{"m3"}},
		{"taxi", []string{"m1"}},
		{"phv", []string{"m1"}},
		{"motorcycle", []string{"l"}},
		{"motorhome", []string{"m1"}},
	}
	fuels = map[string]string{
		"battery": "electric", "hydrogen": "hydrogen", "diesel": "diesel", "biodiesel": "diesel", "petrol": "petrol", "petrol95Octane": "petrol",
		"petrol98Octane": "petrol", "petrolLeaded": "petrol", "petrolUnleaded": "petrol", "lpg": "gas", "liquidGas": "gas", "methane": "gas",
	}
	burning = []string{"diesel", "gas", "petrol"}
	driven  = append([]string{"electric", "hydrogen"}, burning...)
)

const newestEuro = 6

// unsaidWords are the notes' words for conditions that rules cannot express; "" is part
// of another condition.
var unsaidWords = map[string]string{"vehicleAge": "age", "ownerType": "owner", "euSpecialPurposeVehicle": "special purpose", "comparisonOperator": ""}

// characteristics evaluates conditions on a vehicle's characteristics, all of which must
// hold.
func (r *regulations) characteristics(e *element) func(kind) answer {
	if len(e.Elements) == 0 {
		name := e.XMLName.Local
		value := strings.TrimSpace(e.Text)
		switch fuel := fuels[value]; {
		case name == "euVehicleCategory" && value != "":
			return func(k kind) answer { return of(strings.HasPrefix(strings.ToLower(value), k.category)) }
		case name == "fuelType" && fuel != "":
			return func(k kind) answer { return of(k.fuel == fuel) }
		case name == "emissionClassificationEuro" && len(value) > 4 && strings.HasPrefix(value, "euro") && value[4] >= '0' && value[4] <= '6':
			return func(k kind) answer {
				return of(slices.Contains(burning, k.fuel) && k.euro == int(value[4]-'0'))
			}
		}
		if word, ok := unsaidWords[name]; ok {
			name = word
		}
		if name != "" {
			r.unsaid[name] = true
		}
		return func(kind) answer { return unknown }
	}
	var all []func(kind) answer
	for i := range e.Elements {
		all = append(all, r.characteristics(&e.Elements[i]))
	}
	return func(k kind) answer {
		least := yes
		for _, one := range all {
			least = min(least, one(k))
		}
		return least
	}
}

func of(holds bool) answer {
	if holds {
		return yes
	}
	return no
}

// judge returns what a condition says of a vehicle at a time.
func (r *regulations) judge(c *element, k kind, at time.Time) answer {
	out := yes
	switch kindOf(c) {
	case "ConditionSet":
		or := c.text("operator") == "or"
		out = of(!or)
		c.each("conditions", func(one *element) {
			if a := r.judge(one, k, at); or {
				out = max(out, a)
			} else {
				out = min(out, a)
			}
		})
	case "ValidityCondition":
		if spec := c.find("validityByOrder", "validityTimeSpecification"); spec != nil {
			begin, err1 := time.Parse(time.RFC3339, spec.text("overallStartTime"))
			end, err2 := time.Parse(time.RFC3339, spec.text("overallEndTime"))
			out = of((err1 != nil || !at.Before(begin)) && (err2 != nil || at.Before(end)))
			if out == yes && (spec.find("validPeriod") != nil || spec.find("exceptionPeriod") != nil) {
				out = unknown
			}
		}
	case "VehicleCondition":
		if by := c.find("vehicleCharacteristics"); by != nil {
			out = r.characteristics(by)(k)
		}
	case "LocationCondition":
	default:
		out = unknown
	}
	if c.text("negate") == "true" {
		return yes - out
	}
	return out
}

// dayForm is the format of days in rules, and farthest the day from which on conditions are
// ignored: publishers write the end of time.
const (
	dayForm  = "2006-01-02"
	farthest = "2100-01-01"
)

// rules returns those of all stretches of time.
func (r *regulations) rules(local *time.Location) ([]zone.Rule, error) {
	days := []string{""}
	for _, at := range r.changes {
		if day := at.In(local).Format(dayForm); day < farthest && !slices.Contains(days, day) {
			days = append(days, day)
		}
	}
	slices.Sort(days)
	var out, last []zone.Rule
	for i, from := range days {
		at, until := time.Time{}, ""
		if from != "" {
			first, err := time.ParseInLocation(dayForm, from, local)
			if err != nil {
				return nil, err
			}
			at = first.Add(12 * time.Hour)
		}
		if i+1 < len(days) {
			next, err := time.ParseInLocation(dayForm, days[i+1], local)
			if err != nil {
				return nil, err
			}
			until = next.AddDate(0, 0, -1).Format(dayForm)
		}
		now := r.stretch(at, from, until)
		if slices.EqualFunc(now, last, alike) {
			for k := range last {
				last[k].Until = until
			}
			continue
		}
		out = append(out, now...)
		last = out[len(out)-len(now):]
	}
	return out, nil
}

// alike reports whether two bans are the same but for when.
func alike(a, b zone.Rule) bool {
	return slices.Equal(a.Vehicles, b.Vehicles) && slices.Equal(a.Fuels, b.Fuels) && maps.Equal(a.MinimumEuro, b.MinimumEuro) && a.Note == b.Note
}

// stretch returns the bans of one stretch of time; categories with the same ban share one.
func (r *regulations) stretch(at time.Time, from, until string) (out []zone.Rule) {
	for _, c := range categories {
		rule := zone.Rule{Effect: "ban", Vehicles: []string{c.name}, From: from, Until: until, Note: r.note()}
		mixed := false // rules cannot separate the banned from the others
		for _, fuel := range driven {
			below := 0 // standards from it on are free
			for euro := 0; euro <= newestEuro; euro++ {
				if !slices.Contains(burning, fuel) && euro > 0 {
					break
				}
				if r.banned(c.eu, fuel, euro, at) {
					below = euro + 1
					mixed = mixed || slices.ContainsFunc(c.eu, func(one string) bool { return !r.banned([]string{one}, fuel, euro, at) })
				}
			}
			if below == 0 {
				continue
			}
			rule.Fuels = append(rule.Fuels, fuel)
			if slices.Contains(burning, fuel) && below <= newestEuro {
				if rule.MinimumEuro == nil {
					rule.MinimumEuro = map[string]int{}
				}
				rule.MinimumEuro[fuel] = below
			}
		}
		if len(rule.Fuels) == 0 {
			continue
		}
		if mixed {
			rule.Note = strings.TrimPrefix(rule.Note+"; some of "+strings.Join(upper(c.eu), " and ")+" are free, which rules do not distinguish", "; ")
		}
		same := slices.IndexFunc(out, func(o zone.Rule) bool {
			return slices.Equal(o.Fuels, rule.Fuels) && maps.Equal(o.MinimumEuro, rule.MinimumEuro) && o.Note == rule.Note
		})
		if same >= 0 {
			out[same].Vehicles = append(out[same].Vehicles, c.name)
			continue
		}
		out = append(out, rule)
	}
	return out
}

// banned reports whether any regulation may ban any of some categories of the EU.
func (r *regulations) banned(eu []string, fuel string, euro int, at time.Time) bool {
	return slices.ContainsFunc(r.trees, func(tree *element) bool {
		return slices.ContainsFunc(eu, func(category string) bool { return r.judge(tree, kind{category, fuel, euro}, at) != no })
	})
}

// note names the conditions that rules cannot express.
func (r *regulations) note() string {
	if len(r.unsaid) == 0 {
		return ""
	}
	return "conditions by " + strings.Join(slices.Sorted(maps.Keys(r.unsaid)), ", ") + " are not known to this rule: who they free is banned here"
}

// upper returns words in capitals.
func upper(words []string) (out []string) {
	for _, w := range words {
		out = append(out, strings.ToUpper(w))
	}
	return out
}
