package costing

// Default returns the default options of a costing: those of a request that has
// none. Regions contain the hierarchies' metrics of them. It is the zero value
// for an unknown costing.
func Default(c Costing) Options { return usual[c] }

var usual = each(func(r *Row, c Costing) float64 {
	if r.Kind == Choice {
		return r.Code(r.Text)
	}
	return r.Default(c)
})

// Cheapest returns the options of a costing with which every road is cheapest and
// most are open, among all values of the options that follow a law. Mixed and
// unbounded options are at their defaults; factors are 1, see LeastFactor.
func Cheapest(c Costing) Options { return cheapest[c] }

var cheapest = each(func(r *Row, c Costing) float64 {
	switch r.Effect {
	case Closing, Opening:
		return r.Free()
	case Dearer, DearerClosing:
		return r.Min
	case Multiplying:
		return 1
	case Cheaper:
		return r.Max
	}
	return r.Get(&usual[c])
})

// TightestOptions returns the options of a costing that close most roads; the others
// are as of Cheapest.
func TightestOptions(c Costing) Options { return narrowest[c] }

var narrowest = each(func(r *Row, c Costing) float64 {
	switch {
	case r.Effect == Closing && r.Kind == Choice:
		return r.Code(r.Values[0])
	case r.Effect == Closing, r.Effect == DearerClosing:
		return r.Max
	case r.Effect == Opening:
		return r.Min
	}
	return r.Get(&cheapest[c])
})

// each returns the options of all costings, by what each option is in each.
func each(value func(*Row, Costing) float64) (all [len(names)]Options) {
	for _, c := range All {
		all[c].Costing = c
		for _, o := range options[c] {
			row := &table[o]
			row.Set(&all[c], value(row, c))
		}
		if c == Bicycle && all[c].CyclingSpeed == 0 {
			all[c].CyclingSpeed = bicyclePace[all[c].Bicycle]
		}
	}
	return all
}

// UsualVehicle returns the options in the usual vehicle with the usual load: with the usual value
// of each option that closes roads to what does not fit or may not be carried there.
func (o Options) UsualVehicle() Options {
	return o.fitting(func(r *Row) float64 { return r.Get(&usual[o.Costing]) })
}

// LeastRestricted returns the options in the vehicle and with the load that the fewest roads are
// closed to.
func (o Options) LeastRestricted() Options { return o.fitting((*Row).Free) }

func (o Options) fitting(value func(*Row) float64) Options {
	for _, x := range options[o.Costing] {
		if row := &table[x]; row.Effect == Closing {
			row.Set(&o, value(row))
		}
	}
	return o
}

// AtLeast reports whether a traveller with these options pays, on every edge
// and for every turn, at least what one with the others pays, and may do
// nothing that the other may not: closing more roads to drive along, as a
// greater height does, also allows turning round before them, and is no bound.
// What the table gives no law for must be the same.
func (o Options) AtLeast(b Options) bool {
	for _, row := range lawful[o.Costing] {
		v, w := row.Get(&o), row.Get(&b)
		switch row.Effect {
		case Dearer, Multiplying:
			if v < w {
				return false
			}
		case DearerClosing:
			if v < w || (v == row.Max) != (w == row.Max) {
				return false
			}
		case Cheaper:
			if v > w {
				return false
			}
		default:
			continue
		}
		if v != w {
			row.Set(&o, w)
		}
	}
	return o == b
}

// SameRoads reports whether the options let one use the same roads and turns as others
// do: where they differ in what these cost alone.
func (o Options) SameRoads(b Options) bool {
	for _, row := range lawful[o.Costing] {
		v, w := row.Get(&o), row.Get(&b)
		if v == w || row.Kind == Bool {
			continue
		}
		switch row.Effect {
		case DearerClosing:
			if (v == row.Max) != (w == row.Max) {
				return false
			}
		case Dearer, Multiplying, Cheaper:
		default:
			return false
		}
		row.Set(&o, w)
	}
	return o == b
}

// Bounded reports whether the options differ from the cheapest of their costing
// only in what follows a law, or is mixed.
func (o Options) Bounded() bool {
	least := &cheapest[o.Costing]
	for _, row := range lawful[o.Costing] {
		row.Set(&o, row.Get(least))
	}
	return o == *least
}

// lawful are the options of each costing that do not go unbounded.
var lawful = func() (all [len(names)][]*Row) {
	for c, list := range options {
		for _, o := range list {
			if row := &table[o]; row.Effect != Unbounded {
				all[c] = append(all[c], row)
			}
		}
	}
	return all
}()

// LeastFactor returns the smallest factor of the cost of any road, at most 1. That of low
// classes multiplies roads that another is for; of the others a road has one.
func (o *Options) LeastFactor() float64 {
	least, low := 1.0, 1.0
	for _, row := range lawful[o.Costing] {
		switch {
		case row.Effect != Multiplying:
		case row == &table[LowClassFactor]:
			low = min(low, row.Get(o))
		default:
			least = min(least, row.Get(o))
		}
	}
	return low * least
}
