package tags

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
)

// conditioned reports whether some tag has a condition.
func conditioned(t osm.Tags) bool {
	return slices.ContainsFunc(t, func(tag osm.Tag) bool { return strings.HasSuffix(tag.Key, ":conditional") })
}

// opensByCondition reports whether a condition may open the way to some, so that it is
// kept though nobody may use it otherwise.
func opensByCondition(t osm.Tags) bool {
	for _, side := range []bool{false, true} {
		law := conditional.ReadRules(each(t), side)
		if law != nil && law.Opens() {
			return true
		}
	}
	return false
}

// conditions keeps the tags with conditions, speed limits in km/h, and the
// unconditional tags that decide whom they concern. Conditions on the vehicle are
// limits of the edge, too.
func (w *Way) conditions(t osm.Tags) {
	if t = asLorries(t); !conditioned(t) {
		return
	}
	oneway := slices.ContainsFunc(t, func(tag osm.Tag) bool { return isOnewayCondition(tag.Key) })
	for i, s := range []*Side{&w.Forward, &w.Backward} {
		own, other := ":forward", ":backward"
		if i == 1 {
			own, other = other, own
		}
		var all, law []string
		for _, tag := range t {
			name, ok := strings.CutSuffix(tag.Key, ":conditional")
			if !ok || strings.HasSuffix(name, other) {
				continue
			}
			value := tag.Value
			if conditional.IsSpeed(name) {
				value = cmp.Or(conditional.FormatSpeeds(value, w.limit), value)
			}
			if parse := limitParser(name); parse != nil {
				if value = conditionalLimit(t, name, own, parse); value == "" {
					continue
				}
			}
			all = append(all, tag.Key, value)
		}
		for _, tag := range t {
			parse := limitParser(tag.Key)
			if parse == nil || t.Has(tag.Key+":conditional") {
				continue
			}
			if limit := conditionalLimit(t, tag.Key, own, parse); limit != "" {
				all = append(all, tag.Key+":conditional", limit)
			}
		}
		for _, tag := range t {
			key := strings.TrimSuffix(tag.Key, own)
			particular := limitParser(key) != nil && strings.Contains(key, ":")
			if (isAccess(key) || particular || oneway && strings.HasPrefix(key, "oneway:")) && !strings.HasSuffix(key, ":conditional") && !slices.Contains(all, key+":conditional") {
				law = append(law, tag.Key, tag.Value)
			}
		}
		if oneway {
			if bicyclesBothWays(t) && t.Get("oneway:bicycle") == "" {
				law = append(law, "oneway:bicycle", "no")
			}
			law = append(law, conditional.EitherKey, strconv.Itoa(int(w.either[i])))
		}
		if len(all) == 0 {
			continue
		}
		s.Attributes = append(s.Attributes, all...)
		s.Flags |= graph.Conditional
		read := conditional.ReadRules(inPairs(append(slices.Clone(all), law...)), i == 1)
		if read == nil {
			continue
		}
		s.Attributes = append(s.Attributes, law...)
		for i := 0; i < len(all); i += 2 {
			name := strings.TrimSuffix(all[i], ":conditional")
			if limitParser(name) != nil || !conditional.IsSpeed(name) && slices.ContainsFunc(conditional.Clauses(all[i+1]), func(c conditional.Clause) bool { return c.If.OfVehicle() }) {
				s.Conditions = append(s.Conditions, all[i], all[i+1])
			}
		}
		if len(s.Conditions) > 0 {
			s.Conditions = append(s.Conditions, law...)
		}
	}
}

// longestRigid is the length in metres above which a lorry is articulated or has a
// trailer; in the European Union none may be longer without (Directive 96/53/EC).
const longestRigid = "12"

// asLorries returns tags in which the conditional access of lorries with dangerous
// loads, of articulated ones and of those with trailers is written as conditions of
// lorries.
func asLorries(t osm.Tags) osm.Tags {
	if !slices.ContainsFunc(t, func(tag osm.Tag) bool {
		return strings.HasPrefix(tag.Key, "hazmat:") && strings.HasSuffix(tag.Key, ":conditional") || strings.HasPrefix(tag.Key, "hgv_articulated") || strings.HasPrefix(tag.Key, "trailer")
	}) {
		return t
	}
	t = slices.Clone(t)
	add := func(side, value, condition string) {
		key := "hgv" + side + ":conditional"
		value += " @ (" + condition + ")"
		if i := slices.IndexFunc(t, func(tag osm.Tag) bool { return tag.Key == key }); i >= 0 {
			t[i].Value += "; " + value
		} else {
			t = append(t, osm.Tag{Key: key, Value: value})
		}
	}
	for _, kind := range [...]struct{ key, condition string }{{"hazmat", "hazmat"}, {"hgv_articulated", "length>" + longestRigid}, {"trailer", "length>" + longestRigid}} {
		for _, side := range []string{"", ":forward", ":backward"} {
			if p := permissionOf(t.Get(kind.key + side)); kind.key != "hazmat" && (p == forbidden || p == destination) {
				add(side, t.Get(kind.key+side), kind.condition)
			}
			for value, condition := range conditional.Split(t.Get(kind.key + side + ":conditional")) {
				if condition != "" {
					add(side, value, condition+" AND "+kind.condition)
				}
			}
		}
	}
	return t
}

// inPairs yields keys and values.
func inPairs(list []string) func(yield func(key, value string) bool) {
	return func(yield func(key, value string) bool) {
		for i := 0; i+1 < len(list); i += 2 {
			if !yield(list[i], list[i+1]) {
				return
			}
		}
	}
}

func isOnewayCondition(key string) bool {
	return strings.HasPrefix(key, "oneway") && strings.HasSuffix(key, ":conditional")
}

// limitParser returns the parser of the values of a limit's key; nil for other keys.
func limitParser(name string) func(string) float64 {
	property, _, ok := conditional.Bounded(strings.TrimSuffix(strings.TrimSuffix(name, ":forward"), ":backward"))
	switch {
	case !ok:
		return nil
	case property == "axles":
		return func(v string) float64 {
			n, unit := splitUnit(v)
			if unit != "" || !(n >= 1) {
				return 0
			}
			return n
		}
	case property == "weight", property == "axleload":
		return Tonnes
	}
	return Metres
}

// conditionalLimit returns a limit with conditions in one direction: the value while no
// condition is met, and the conditions. It is empty if they cannot be read.
func conditionalLimit(t osm.Tags, name, side string, parse func(string) float64) string {
	key, usual := strings.TrimSuffix(name, side), 0.0
	for _, v := range []string{t.Get(key), t.Get(key + side)} {
		if n := parse(v); n > 0 && (usual == 0 || n < usual) {
			usual = n
		}
	}
	conditions := t.Get(name + ":conditional")
	if property, _, _ := conditional.Bounded(key); property == "weight" && name == key && conditions == "" && usual > 0 && usual == businessOver(t, side) {
		conditions = "none @ destination"
	}
	return conditional.FormatLimit(usual, conditions, parse)
}

// businessOver returns the weight above which a condition of access admits lorries with
// a destination on the way, 0 for none: with destination @ (weight>5) beside
// maxweight=5 the limit is for through traffic.
func businessOver(t osm.Tags, side string) float64 {
	for _, key := range []string{"access", "vehicle", "motor_vehicle", "goods", "hgv"} {
		for _, name := range []string{key, key + side} {
			for _, c := range conditional.Clauses(t.Get(name + ":conditional")) {
				if permissionOf(c.Value) != destination || !c.If.OfVehicle() || len(c.If.Terms) != 1 {
					continue
				}
				if x := c.If.Terms[0]; strings.HasPrefix(x.Property, "weight") && strings.HasPrefix(x.Sign, ">") {
					return x.Bound
				}
			}
		}
	}
	return 0
}

// hasConditions reports whether a limit has readable conditions in a direction, so that
// it is kept with them.
func hasConditions(t osm.Tags, key, side string) bool {
	parse := limitParser(key)
	return parse != nil && (conditionalLimit(t, key, side, parse) != "" || conditionalLimit(t, key+side, side, parse) != "")
}
