package hours

// clock reports whether a time of day with minutes, or a range of hours,
// begins so many tokens ahead.
func (p *parser) clock(ahead int) bool {
	next := p.peek(ahead + 1)
	return (next == ":" || next == ".") && smallNumber(p.peek(ahead+2)) >= 0 && len(p.peek(ahead+2)) == 2 && !p.spaced[p.at+ahead+2]
}

// timeAt reports whether a time begins so many tokens ahead.
func (p *parser) timeAt(ahead int) bool {
	word := p.peek(ahead)
	if word == "(" {
		return sun(p.peek(ahead+1)) != clock
	}
	return sun(word) != clock || smallNumber(word) >= 0 && len(word) <= 2
}

// span reads a range of times.
func (p *parser) span() (x span, err error) {
	rise, err := p.time()
	if err != nil {
		return x, err
	}
	if p.take("+") {
		x = span{from: rise.minute, to: openEnd(rise.minute), unknown: true, rise: rise, endless: true}
		if rise.by != clock {
			x.from, x.to = 0, day
		}
		return x, nil
	}
	if !p.take("-") {
		return x, p.wrong("a time without an end")
	}
	set, err := p.time()
	if err != nil {
		return x, err
	}
	more := p.take("+")
	// Sunrise is some time before noon, sunset some time after: take the widest
	// range that it can be.
	x = span{from: rise.minute, to: set.minute, unknown: rise.by != clock || set.by != clock, rise: rise, set: set}
	switch {
	case rise.by.inTheMorning():
		x.from = 0
	case rise.by != clock:
		x.from = day / 2
	}
	switch {
	case set.by.inTheMorning():
		x.to = day / 2
	case set.by != clock:
		x.to = day
	}
	if x.to <= x.from {
		x.to += day
	}
	if x.to > 2*day || x.to-x.from > day {
		return x, p.wrong("a range of more than a day")
	}
	if more {
		x.openEnd = openEnd(x.to)
	}
	return x, nil
}

// openEnd is until when a span without an end may last, which began or was sure to
// last until a minute of the day: what opens late may last into the next day. The
// bounds are those of the reference implementation.
func openEnd(minute int) int {
	switch {
	case minute >= 22*60:
		return minute + 8*60
	case minute >= 17*60:
		return minute + 10*60
	}
	return day
}

// event is the reference of a time: the clock, or the sun.
type event uint8

const (
	clock event = iota
	sunrise
	dawn
	sunset
	dusk
)

func (e event) inTheMorning() bool { return e == sunrise || e == dawn }

// timeOfDay is a minute of the day, or so many minutes after an event of the sun.
type timeOfDay struct {
	minute int
	by     event
}

// time reads a time of day.
func (p *parser) time() (t timeOfDay, err error) {
	if p.take("(") {
		if t.by = sun(p.peek(0)); t.by == clock {
			return t, p.wrong("a bracket in a time")
		}
		p.at++
		sign := p.peek(0)
		if sign == "+" || sign == "-" {
			p.at++
			if t.minute, err = p.clockTime(); err != nil {
				return t, err
			}
			if sign == "-" {
				t.minute = -t.minute
			}
		}
		if !p.take(")") {
			return t, p.wrong("a bracket does not close")
		}
		return t, nil
	}
	if t.by = sun(p.peek(0)); t.by != clock {
		p.at++
		return t, nil
	}
	t.minute, err = p.clockTime()
	return t, err
}

// clockTime reads what a clock shows, in minutes.
func (p *parser) clockTime() (minutes int, err error) {
	hour := smallNumber(p.peek(0))
	if hour < 0 || hour > 48 || len(p.peek(0)) > 2 {
		return 0, p.wrong("a time is missing")
	}
	p.at++
	minute := 0
	if p.is(":") || p.is(".") {
		if minute = smallNumber(p.peek(1)); minute < 0 || minute > 59 || len(p.peek(1)) > 2 {
			return 0, p.wrong("minutes are missing")
		}
		p.at += 2
		if p.is(":") && smallNumber(p.peek(1)) >= 0 && len(p.peek(1)) == 2 { // seconds
			p.at += 2
		}
	}
	switch half := p.peek(0); half {
	case "am", "pm":
		if hour < 1 || hour > 12 {
			return 0, p.wrong("no such hour of half a day")
		}
		if hour %= 12; half == "pm" {
			hour += 12
		}
		p.at++
	case "h":
		p.at++
	}
	return hour*60 + minute, nil
}

func sun(word string) event {
	switch word {
	case "sunrise":
		return sunrise
	case "dawn":
		return dawn
	case "sunset":
		return sunset
	case "dusk":
		return dusk
	}
	return clock
}
