package clearance

import (
	"slices"

	"github.com/waygate/waygate/clearance/artefact"
	"github.com/waygate/waygate/geo"
)

// mostListed is how many sections a list of a report has.
const mostListed = 200

// tally makes the axes of a report of the findings of stations, which come in their order.
type tally struct {
	line          *line
	height, width axisTally
}

func newTally(l *line, v *vehicle) *tally {
	t := &tally{line: l}
	for _, a := range []*axisTally{&t.height, &t.width} {
		a.line, a.required, a.reasons = l, v.height, map[Reason]bool{}
	}
	if v.width != nil {
		t.width.required, t.width.given = *v.width, true
	}
	t.height.given = true
	return t
}

// wanted returns the headroom in centimetres below which a station is of interest though the
// vehicle passes: it may be the limiting one.
func (t *tally) wanted() uint16 {
	l := t.height.limiting
	switch {
	case l == nil:
		return 1<<16 - 1
	case l.class > clear:
		return 0
	}
	return centimetres(l.figure.safe() - l.lift)
}

// nothing adds stations of which there is no survey.
func (t *tally) nothing(from, to int) {
	none := resolved{finding: finding{class: gap, reason: NotSurveyed}}
	if from < to {
		t.height.add(from, to, none)
		t.width.add(from, to, none)
	}
}

// clear adds stations over which a survey has nothing.
func (t *tally) clear(from, to int, by *survey) {
	r := resolved{finding{figure: nothing}, by}
	t.height.add(from, to, r)
	if t.width.given {
		t.width.add(from, to, r)
	}
}

func (t *tally) add(station int, height, width resolved) {
	t.height.add(station, station+1, height)
	if t.width.given {
		t.width.add(station, station+1, width)
	}
}

func (t *tally) end() {
	t.height.flush()
	t.width.flush()
}

// stretch is a run of stations whose findings are of one kind.
type stretch struct {
	class    class
	reason   Reason
	from, to int
	worst    *kept // nil where nothing was measured
}

// kept is a finding with what belongs to it in the report.
type kept struct {
	finding
	station int
	by      *survey
	section *section
}

type axisTally struct {
	line     *line
	given    bool
	required float64
	now      stretch
	limiting *kept
	reasons  map[Reason]bool
	assessed float64
	gaps     bool
	any      bool // a station was assessed

	failures, doubts        []stretch
	moreFailures, moreDoubt int
	notSurveyed             []stretch
	insufficient            []stretch
	omitted                 Omitted
}

func (a *axisTally) add(from, to int, r resolved) {
	begin, _ := a.line.span(from)
	_, end := a.line.span(to - 1)
	if r.class == gap {
		a.gaps = true
	} else {
		a.any = true
		a.assessed += end - begin
	}
	if r.class != clear {
		a.reasons[r.reason] = true
	}
	if a.now.to != from || a.now.class != r.class || a.now.reason != r.reason {
		a.flush()
		a.now = stretch{class: r.class, reason: r.reason, from: from}
	}
	a.now.to = to
	if r.class == gap || !r.measured() {
		return
	}
	if w := a.limiting; w == nil || r.worse(w.finding) {
		a.limiting = &kept{r.finding, from, r.by, nil}
		if s := r.by.now.section; s != nil {
			a.limiting.section = s.copied()
		}
	}
	if r.class != clear && (a.now.worst == nil || r.worse(a.now.worst.finding)) {
		a.now.worst = &kept{r.finding, from, r.by, nil}
	}
}

// measured reports whether there is a figure.
func (r *resolved) measured() bool { return r.by != nil && r.figure.some() }

// flush lists the stretch that has ended.
func (a *axisTally) flush() {
	s := a.now
	a.now = stretch{}
	if s.to == s.from {
		return
	}
	list, more := (*[]stretch)(nil), (*int)(nil)
	switch {
	case s.class == fail:
		list, more = &a.failures, &a.moreFailures
	case s.class == doubt:
		list, more = &a.doubts, &a.moreDoubt
	case s.class == gap && s.reason == NotSurveyed:
		list, more = &a.notSurveyed, &a.omitted.NotSurveyed
	case s.class == gap:
		list, more = &a.insufficient, &a.omitted.Insufficient
	default:
		return
	}
	if len(*list) < mostListed {
		*list = append(*list, s)
	} else {
		*more++
	}
}

// axis concludes.
func (a *axisTally) axis() Axis {
	out := Axis{Required: &a.required, Failures: []Failure{}, MoreFails: a.moreFailures, Doubts: []Doubt{}, MoreDoubts: a.moreDoubt, Reasons: []Reason{}, Coverage: a.coverage()}
	switch {
	case a.reasons[DoesNotClear]:
		out.Verdict = Fail
	case a.gaps:
		out.Verdict = NoVerdict
	case len(a.reasons) > 0:
		out.Verdict = Indeterminate
	default:
		out.Verdict = Pass
	}
	for _, s := range a.failures {
		from, to := a.interval(s)
		out.Failures = append(out.Failures, Failure{from, to, a.station(s.worst)})
	}
	for _, s := range a.doubts {
		from, to := a.interval(s)
		d := Doubt{From: from, To: to, Reason: s.reason}
		if s.worst != nil {
			d.Worst = &Worst{Station: a.station(s.worst)}
		}
		out.Doubts = append(out.Doubts, d)
	}
	if a.limiting != nil {
		out.Limiting = &Worst{Station: a.station(a.limiting), Across: a.limiting.section.across()}
	}
	for _, h := range hints {
		if a.reasons[h.reason] {
			if out.Reasons = append(out.Reasons, h.reason); out.Hint == nil {
				hint := h.text
				out.Hint = &hint
			}
		}
	}
	return out
}

// notAssessed returns the axis of a width that is not surveyVerdict.
func (a *axisTally) notAssessed(why Reason) Axis {
	out := Axis{Verdict: NotAssessed, Failures: []Failure{}, Doubts: []Doubt{}, Reasons: []Reason{why}}
	if a.given {
		out.Required = &a.required
	}
	i := slices.IndexFunc(hints, func(h hint) bool { return h.reason == why })
	out.Hint = &hints[i].text
	return out
}

func (a *axisTally) coverage() *Coverage {
	if !a.gaps {
		return &Coverage{Kind: "complete", Assessed: a.line.length}
	}
	none, little := a.spans(a.notSurveyed), a.spans(a.insufficient)
	out := &Coverage{Kind: "partial", Assessed: a.assessed, NotSurveyed: &none, Insufficient: &little}
	if a.omitted != (Omitted{}) {
		out.Unlisted = &a.omitted
	}
	return out
}

func (a *axisTally) interval(s stretch) (from, to float64) {
	from, _ = a.line.span(s.from)
	_, to = a.line.span(s.to - 1)
	return from, to
}

func (a *axisTally) spans(list []stretch) []Span {
	out := []Span{}
	for _, s := range list {
		from, to := a.interval(s)
		out = append(out, Span{from, to, lonLat(a.line.at(from)), lonLat(a.line.at(to))})
	}
	return out
}

func lonLat(p geo.Point) LonLat { return LonLat{p.Lat, p.Lon} }

// station describes a finding.
func (a *axisTally) station(k *kept) Station {
	arc := a.line.middle(k.station)
	p := a.line.at(arc)
	f := k.figure
	head := f.head - k.lift
	return Station{
		Place: Place{arc, p.Lat, p.Lon}, Figure: Figure{Headroom: head, Safe: head - 2*f.sigma - f.gap, Sigma: f.sigma, Gap: f.gap},
		Lift: k.lift, Surface: surfaceOf(f.kind), Dataset: k.by.dataset, Dates: k.by.file.Header.SurveyDates(),
	}
}

func surfaceOf(k artefact.Kind) string {
	switch k {
	case artefact.Structure, artefact.Wire, artefact.Foliage:
		return k.String()
	}
	return "unknown"
}

// across lists the parts of a cross-section; neighbouring slots that are alike are one.
func (s *section) across() (list []Across) {
	if s == nil {
		return nil
	}
	last := Across{}
	for i := range s.slots {
		t := &s.slots[i]
		one := Across{From: (float64(i) - s.line) * s.cell, To: (float64(i+1) - s.line) * s.cell}
		switch {
		case !t.seen:
			last = Across{}
			continue
		case t.lowest.some():
			head := t.lowest.head
			one.Headroom, one.Surface = &head, surfaceOf(t.lowest.kind)
		case t.notSurveyed || t.insufficient:
			one.Surface = "unseen"
		default:
			one.Surface = "sky"
		}
		one.Obstacle, one.Lane = t.blocked, t.lane
		if n := len(list); n > 0 && last.alike(&one) {
			list[n-1].To = one.To
		} else {
			list = append(list, one)
		}
		last = one
	}
	return list
}

func (a *Across) alike(b *Across) bool {
	if a.Surface != b.Surface || a.Lane != b.Lane || a.Obstacle != b.Obstacle || (a.Headroom == nil) != (b.Headroom == nil) {
		return false
	}
	return a.Headroom == nil || *a.Headroom == *b.Headroom
}
