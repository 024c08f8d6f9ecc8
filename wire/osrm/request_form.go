package osrm

import (
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/wire/schema"
)

// form is how the value of a parameter is described and read.
type form struct {
	schema schema.Schema
	read   func(q *query, name, value string) error
}

func choice(words []string) *schema.Schema {
	s := &schema.Schema{Type: schema.String}
	for _, w := range words {
		s.Enum = append(s.Enum, w)
	}
	return s
}

// text is a value that a function reads.
func text(read func(q *query, name, value string) error) form {
	return form{schema.Schema{Type: schema.String}, read}
}

// ignored is a value that clients of the kind send and that says nothing here.
func ignored() form { return text(func(*query, string, string) error { return nil }) }

// word is one of a few words.
func word(set func(*query, string), allowed ...string) form {
	return form{*choice(allowed), func(q *query, name, value string) error {
		if !slices.Contains(allowed, value) {
			return Refuse(InvalidValue, "%s is %q and must be one of %s", name, fault.Clip(value), strings.Join(allowed, ", "))
		}
		set(q, value)
		return nil
	}}
}

// flag is a switch.
func flag(set func(*query, bool)) form {
	return form{schema.Schema{Type: schema.Boolean}, func(q *query, name, value string) error {
		if value != "true" && value != "false" {
			return Refuse(InvalidValue, "%s is %q and must be true or false", name, fault.Clip(value))
		}
		set(q, value == "true")
		return nil
	}}
}

// words is a comma-separated list.
func words(set func(*query, []string)) form {
	return text(func(q *query, _, value string) error {
		if value != "" {
			set(q, strings.Split(value, ","))
		}
		return nil
	})
}

// numberWithin is a number from least to most.
func numberWithin(set func(*query, float64), least, most float64) form {
	return form{schema.Schema{Type: schema.Number, Minimum: &least, Maximum: &most}, func(q *query, name, value string) error {
		v, err := decimal(value)
		if err != nil || !(v >= least && v <= most) {
			limit := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
			return Refuse(InvalidValue, "%s is %q and must be a number from %s to %s", name, fault.Clip(value), limit(least), limit(most))
		}
		set(q, v)
		return nil
	}}
}

// indices is a list of coordinates by their indices, separated by semicolons;
// nil where it is empty or "all".
func indices(set func(*query, []int)) form {
	return text(func(q *query, name, value string) error {
		if value == "" || value == "all" {
			return nil
		}
		var list []int
		n := len(q.route.Locations)
		for entry := range strings.SplitSeq(value, ";") {
			i, ok := schema.Whole(entry)
			if !ok || i < 0 || i >= n {
				return Refuse(InvalidValue, "%s has %q, which is no index of the %d coordinates", name, fault.Clip(entry), n)
			}
			list = append(list, i)
		}
		set(q, list)
		return nil
	})
}

// waypoints is which coordinates begin or end a leg: a rising list of indices
// from the first to the last.
func waypoints(set func(*query, []int)) form {
	return text(func(q *query, name, value string) error {
		var list []int
		if err := indices(func(_ *query, all []int) { list = all }).read(q, name, value); err != nil || list == nil {
			return err
		}
		last := len(q.route.Locations) - 1
		if list[0] != 0 || list[len(list)-1] != last {
			return Refuse(InvalidValue, "%s must have the first and the last coordinate, 0 and %d", name, last)
		}
		for i := 1; i < len(list); i++ {
			if list[i] <= list[i-1] {
				return Refuse(InvalidValue, "%s[%d] is %d, after %d; they must rise", name, i, list[i], list[i-1])
			}
		}
		set(q, list)
		return nil
	})
}

// each is a list with an entry, maybe empty, for each coordinate. read gives what
// is wrong with an entry, or "".
func each(read func(q *query, i int, entry string) (problem string)) form {
	return text(func(q *query, name, value string) error {
		if value == "" {
			return nil
		}
		entries := strings.Split(value, ";")
		if n := len(q.route.Locations); len(entries) != n {
			return Refuse(InvalidValue, "%s has %d entries and there are %d coordinates", name, len(entries), n)
		}
		for i, entry := range entries {
			if entry == "" {
				continue
			}
			if problem := read(q, i, entry); problem != "" {
				return Refuse(InvalidValue, "%s[%d] is %q and %s", name, i, fault.Clip(entry), problem)
			}
		}
		return nil
	})
}
