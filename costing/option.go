package costing

import (
	"math"
	"slices"
	"strconv"
)

// Kind is the type of an option's value.
type Kind uint8

// The kinds.
const (
	Number Kind = iota
	Integer
	Bool
	Choice
)

// Effect is the law of an option: what more of it does to the cost of roads and
// turns. A switch that is on is more than one that is off. Searches are led by
// bounds that rest on it, so a law that is wrong makes routes silently not the
// best; TestEffects in road/profile checks every one against the costs.
type Effect uint8

// The effects. Where an option has none of its own, no bound is taken to hold
// for another value of it than the usual.
const (
	// Unbounded follows no law: another measure counts, or rules do not.
	Unbounded Effect = iota
	// Closing keeps off more roads, by law or because something does not fit.
	// That opens turns: before a closed road a vehicle may turn round. Of a
	// choice the values stand from the one that closes most. A heavier vehicle may
	// also have to pay toll, which profile.LowerBound allows for.
	Closing
	// Opening lets on to more roads.
	Opening
	// Dearer makes roads or turns dearer and none cheaper. A switch excludes
	// roads, but at the ends of a route.
	Dearer
	// DearerClosing is Dearer, and its greatest value closes roads.
	DearerClosing
	// Multiplying is a factor of the cost of some roads, and so Dearer.
	Multiplying
	// Cheaper makes roads or turns cheaper and none dearer.
	Cheaper
	// Mixed makes some roads dearer and others cheaper. The least of all costs
	// that road/profile works out is at or below each of its values.
	Mixed
)

// Range is the range of a number; a switch is 0 or 1.
type Range struct {
	Min, Max float64
	Unit     string // "" has none
	// PerUnit is into how many steps one is divided: values in between are
	// rounded, so that options that make no difference to a road share what is
	// worked out for them. 0 does not round.
	PerUnit float64
}

// Row is one option: all that is known of it.
type Row struct {
	Name string
	Kind Kind
	Range
	Values []string // of a choice
	Text   string   // default of a choice, "" is none of the values
	Effect Effect
	// Idle is why the kernel reads the option and cannot honour it; "" where it
	// does, or where the option makes no difference to any route.
	Idle string
	// Rationale is the word of a rationale for what a caller who declares the
	// option keeps a route off; "" where a rationale does not mention it.
	Rationale string
	// Hard is the switch that rules out what a wish would only rather avoid; 0
	// where there is none.
	Hard Option

	doc       string
	docs      map[Costing]string // where it is another
	usual     defaults
	explained costings // whose rationale mentions it

	// The field that the option sets, by its type; none where the kernel has no
	// use for the option. Several switches may share one: it is on where one of
	// them is.
	number func(*Options) *float64
	small  func(*Options) *uint8
	flag   func(*Options) *bool
	codes  []uint8 // of a choice, what each value makes of the field
}

// Row returns what is known of the option. It must not be changed.
func (o Option) Row() *Row { return &table[o] }

// String returns the option's name.
func (o Option) String() string { return table[o].Name }

// In reports whether a costing has the option.
func (o Option) In(c Costing) bool { return table[o].usual.of.has(c) }

// List lists every option, in the order of the table.
func List() []Option {
	all := make([]Option, 0, beyond-1)
	for o := Option(1); o < beyond; o++ {
		all = append(all, o)
	}
	return all
}

// Of lists the options of a costing, in the order of the table; none for an
// unknown costing. The slice is shared and must not be changed.
func Of(c Costing) []Option { return options[c] }

var options = func() (all [len(names)][]Option) {
	for _, o := range List() {
		for _, c := range All {
			if o.In(c) {
				all[c] = append(all[c], o)
			}
		}
	}
	return all
}()

// Find returns the option of a name, 0 where there is none.
func Find(name string) Option { return byName[name] }

var byName = func() map[string]Option {
	all := make(map[string]Option, beyond)
	for _, o := range List() {
		all[table[o].Name] = o
	}
	return all
}()

// OnlyLorries reports whether only a truck has the option and it matters for
// safety: with another costing it is refused, not merely reported.
func (o Option) OnlyLorries() bool {
	return table[o].Effect == Closing && table[o].usual.of == set(Truck)
}

// Rounded returns the step of a number that a costing takes it as: the next above
// where more closes roads, so that no vehicle is led where it does not fit, else the
// nearest between the bounds, which may mean more than a little less or a little
// more of the same. A bound and the default stay.
func (r *Row) Rounded(c Costing, v float64) float64 {
	switch {
	case r.Kind != Number || r.PerUnit == 0 || v == r.Default(c) || v == r.Min || v == r.Max:
		return v
	case r.Effect == Closing:
		// A value that is a step but for the last digits of a float is not raised.
		return min(math.Ceil(v*r.PerUnit-1e-6)/r.PerUnit, r.Max)
	}
	first, last := math.Floor(r.Min*r.PerUnit+1e-6)+1, math.Ceil(r.Max*r.PerUnit-1e-6)-1
	return min(max(math.Round(v*r.PerUnit), first), last) / r.PerUnit
}

// Default returns the usual value of a number in a costing; 0 of a switch.
func (r *Row) Default(c Costing) float64 { return r.usual.value[c] }

// Doc describes the option as a costing has it.
func (r *Row) Doc(c Costing) string {
	if d := r.docs[c]; d != "" {
		return d
	}
	return r.doc
}

// Rounding returns how a number is rounded, such as "rounded up to 0.05"; "" where it
// is not.
func (r *Row) Rounding() string {
	if r.Kind != Number || r.PerUnit == 0 {
		return ""
	}
	how := "rounded to "
	if r.Effect == Closing {
		how = "rounded up to "
	}
	return how + strconv.FormatFloat(1/r.PerUnit, 'g', -1, 64)
}

// Explained reports whether the rationale of a costing's routes mentions the
// option.
func (r *Row) Explained(c Costing) bool { return r.explained.has(c) }

// Costs reports whether the kernel's costs depend on the option.
func (r *Row) Costs() bool { return r.number != nil || r.small != nil || r.flag != nil }

// Get returns the option's value: of a switch 0 or 1, of a choice its code. It is 0
// where the kernel has no use for the option.
func (r *Row) Get(o *Options) float64 {
	switch {
	case r.number != nil:
		return *r.number(o)
	case r.small != nil:
		return float64(*r.small(o))
	case r.flag != nil && *r.flag(o):
		return 1
	}
	return 0
}

// Set sets the option to what Get gives.
func (r *Row) Set(o *Options, v float64) {
	switch {
	case r.number != nil:
		*r.number(o) = v
	case r.small != nil:
		*r.small(o) = uint8(v)
	case r.flag != nil:
		*r.flag(o) = v != 0
	}
}

// Code returns the number of a value of a choice in Get and Set; 0 where it is none of the
// values.
func (r *Row) Code(value string) float64 {
	if i := slices.Index(r.Values, value); i >= 0 && r.codes != nil {
		return float64(r.codes[i])
	}
	return 0
}

// Free returns the value at which an option that closes roads closes the fewest.
func (r *Row) Free() float64 {
	switch {
	case r.Kind == Choice:
		return r.Code(r.Text)
	case r.Effect == Opening:
		return r.Max
	}
	return r.Min
}

// Forbids reports whether options keep a traveller off roads by this one: it
// closes roads, caps what is open, or is a switch that excludes.
func (r *Row) Forbids(o *Options) bool {
	switch r.Effect {
	case Closing:
	case Opening:
		if r.Kind == Bool { // off by default, which forbids no more than the law does
			return false
		}
	case Dearer:
		if r.Kind != Bool {
			return false
		}
	default:
		return false
	}
	return r.Costs() && r.Get(o) != r.Free()
}

// costings is a set of costings.
type costings uint8

func set(list ...Costing) (s costings) {
	for _, c := range list {
		s |= 1 << c
	}
	return s
}

func (s costings) has(c Costing) bool { return s>>c&1 == 1 }

// defaults are an option's costings and its default in each.
type defaults struct {
	of    costings
	value [len(names)]float64
}

// in gives some costings a default, or another than they had.
func (d defaults) in(v float64, list ...Costing) defaults {
	d.of |= set(list...)
	for _, c := range list {
		d.value[c] = v
	}
	return d
}

func only(v float64, list ...Costing) defaults { return defaults{}.in(v, list...) }

// every is of all costings, motor of those with an engine.
func every(v float64) defaults { return only(v, All[:]...) }
func motor(v float64) defaults { return only(v, All[:Motorcycle]...) }
