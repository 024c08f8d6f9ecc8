package native

import (
	"reflect"
	"slices"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/wire/schema"
)

// Describe describes the options of every costing by their table. An option that several
// costings have in the same words is a component, to which they refer.
func (CostingOptions) Describe(d *schema.Document) *schema.Schema {
	s := &schema.Schema{Type: schema.Object, AdditionalProperties: false, Properties: map[string]*schema.Schema{}}
	options := describedOptions(d)
	for _, c := range costing.All {
		of := &schema.Schema{Type: schema.Object, AdditionalProperties: false, Properties: map[string]*schema.Schema{}}
		for _, o := range costing.Of(c) {
			of.Properties[o.String()] = options[o][c]
		}
		s.Properties[c.String()] = d.Component(upperCamel(c.String())+"Options", of)
	}
	return d.Component("CostingOptions", s)
}

// describedOptions describes each option for each costing that has it.
func describedOptions(d *schema.Document) map[costing.Option]map[costing.Costing]*schema.Schema {
	all := map[costing.Option]map[costing.Costing]*schema.Schema{}
	for _, c := range costing.All {
		for _, o := range costing.Of(c) {
			if all[o] == nil {
				all[o] = map[costing.Costing]*schema.Schema{}
			}
			all[o][c] = described(o.Row(), c)
		}
	}
	for o, of := range all {
		shareOption(d, upperCamel(o.String())+"Option", of)
	}
	return all
}

// shareOption puts references to a component in the place of descriptions of an option
// that are the same for several costings. The first such component has the option's name,
// others that of their first costing before it.
func shareOption(d *schema.Document, name string, of map[costing.Costing]*schema.Schema) {
	first := true
	for i, c := range costing.All {
		same := slices.DeleteFunc(slices.Clone(costing.All[i:]), func(other costing.Costing) bool {
			return of[c] == nil || of[other] == nil || of[c].Ref != "" || !reflect.DeepEqual(of[other], of[c])
		})
		if len(same) < 2 {
			continue
		}
		component := name
		if !first {
			component = upperCamel(c.String()) + name
		}
		first = false
		shared := of[c]
		shared.Nullable = true // null is the same as leaving it out
		for _, c := range same {
			of[c] = d.Component(component, shared)
		}
	}
}

// upperCamel returns a name of small letters as the names of components are: MotorScooter.
func upperCamel(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// described describes an option of a costing.
func described(r *costing.Row, c costing.Costing) *schema.Schema {
	s := &schema.Schema{Description: r.Doc(c)}
	number := r.Default(c)
	switch r.Kind {
	case costing.Bool:
		s.Type = schema.Boolean
		s.SetAssumed(number != 0)
		return s
	case costing.Choice:
		s.Type = schema.String
		if r.Text != "" {
			s.SetAssumed(r.Text)
		}
		for _, v := range r.Values {
			s.Enum = append(s.Enum, v)
		}
		return s
	case costing.Integer:
		s.Type = schema.Integer
	case costing.Number:
		s.Type = schema.Number
	}
	if r.Unit != "" {
		s.Description += ", in " + r.Unit
	}
	if how := r.Rounding(); how != "" {
		s.Description += "; " + how
	}
	s.Minimum, s.Maximum = &r.Min, &r.Max
	if number >= r.Min && number <= r.Max { // below it the default depends on other options
		s.SetAssumed(number)
	}
	return s
}
