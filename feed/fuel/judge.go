package fuel

import (
	"math"
	"slices"
)

// Plausibility. A price must lie between these, in hundredths of pounds, euros or
// francs, and near the median of its grade in the document.
const (
	leastPrice = 40
	mostPrice  = 400
	leastGas   = 20 // LPG, CNG and E85
	band       = 0.35
	bandFrom   = 20 // prices of a grade that make a median worth something
)

// cheap reports whether a grade costs much less than petrol and diesel.
func (g Grade) cheap() bool { return g == LPG || g == CNG || g == E85 }

// scale is roughly the value of a currency in those, for the bounds alone.
func (c currency) scale() float64 {
	switch c {
	case "DKK", "SEK", "NOK":
		return 9
	case "PLN":
		return 4
	}
	return 1
}

// usable returns the stations that are somewhere and have a price that can be
// right. What is wrong is rejected, a price or a whole station.
func (r *reader) usable() []Station {
	type of struct {
		g Grade
		c currency
	}
	all := map[of][]float64{}
	for i := range r.all {
		s := &r.all[i]
		s.Prices = slices.DeleteFunc(s.Prices, func(p Price) bool { return !r.possible(s, p) })
		for _, p := range s.Prices {
			all[of{p.Grade, s.Currencies}] = append(all[of{p.Grade, s.Currencies}], p.Amount)
		}
	}
	medians, liquids := map[of]float64{}, map[currency][]float64{}
	for k, list := range all {
		if len(list) >= bandFrom {
			slices.Sort(list)
			medians[k] = list[len(list)/2]
		}
		if !k.g.cheap() {
			liquids[k.c] = append(liquids[k.c], list...)
		}
	}
	// A grade that few sell is judged by the others.
	for c, list := range liquids {
		slices.Sort(list)
		for _, g := range Grades() {
			if _, has := medians[of{g, c}]; !has && !g.cheap() && len(list) >= bandFrom {
				medians[of{g, c}] = list[len(list)/2]
			}
		}
	}
	var out []Station
	for _, s := range r.all {
		if !r.placed(&s) {
			continue
		}
		s.Prices = slices.DeleteFunc(s.Prices, func(p Price) bool {
			m, ok := medians[of{p.Grade, s.Currencies}]
			if far := ok && math.Abs(p.Amount-m) > band*m; far {
				r.in.Report.Reject("price far from the median", "%s: %s at %g, where half are above %g", s.ID, p.Grade, p.Amount, m)
				return true
			}
			return false
		})
		out = append(out, s)
	}
	return out
}

// possible rejects a price that none can be, and says which unit it looks like.
func (r *reader) possible(s *Station, p Price) bool {
	least, most := leastPrice*s.Currencies.scale(), mostPrice*s.Currencies.scale()
	if p.Grade.cheap() {
		least = leastGas * s.Currencies.scale()
	}
	fits := func(v float64) bool { return v >= least && v <= most }
	switch {
	case fits(p.Amount):
		return true
	case p.Amount == 0:
		r.in.Report.Reject("price of 0", "%s: %s", s.ID, p.Grade)
	case fits(p.Amount * 100):
		r.in.Report.Reject("price in the whole unit, not in hundredths", "%s: %s at %g", s.ID, p.Grade, p.Amount)
	case fits(p.Amount / 10):
		r.in.Report.Reject("price in thousandths", "%s: %s at %g", s.ID, p.Grade, p.Amount)
	default:
		r.in.Report.Reject("price out of range", "%s: %s at %g, allowed are %g to %g", s.ID, p.Grade, p.Amount, least, most)
	}
	return false
}

// placed rejects a station that is nowhere, or not in its country.
func (r *reader) placed(s *Station) bool {
	why := r.in.Misplaced(s.Country, s.At)
	if why != "" {
		r.in.Report.Reject(why, "%s at lat %g, lon %g", s.ID, s.At.Lat, s.At.Lon)
	}
	return why == ""
}
