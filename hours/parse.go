package hours

import (
	"fmt"
	"strings"
)

// MaxLength is the most bytes of a schedule that are read. OSM's values have up to
// 255 characters.
const MaxLength = 1024

// Parse reads a schedule, with the liberties that mappers take: spaces, dots in
// times, bare hours.
func Parse(text string) (*Schedule, error) {
	p := &parser{text: strings.TrimPrefix(text, "opening_hours=")} // as some mappers copy it
	if len(text) > MaxLength {
		return nil, fmt.Errorf("a schedule of %d bytes; at most %d are read", len(text), MaxLength)
	}
	if err := p.lex(); err != nil {
		return nil, err
	}
	s := &Schedule{}
	how := replaces
	for {
		for p.is(";") || p.is("|") {
			if how = replaces; p.take("|") {
				if how = falls; !p.take("|") {
					return nil, p.wrong("a single bar")
				}
				continue
			}
			p.at++
		}
		if p.done() {
			break
		}
		r, next, err := p.rule(s)
		if err != nil {
			return nil, err
		}
		r.additional, r.fallback = how == adds, how == falls
		how = next
		s.rules = append(s.rules, r)
	}
	if len(s.rules) == 0 {
		return nil, p.wrong("no times")
	}
	return s, nil
}

type parser struct {
	text   string
	tokens []string
	spaced []bool // by token: something parts it from the one before
	at     int
}

// joint is how a rule is joined to those before it: it replaces them on its days,
// adds to them, or counts where they are closed.
type joint uint8

const (
	replaces joint = iota
	adds
	falls
)

func (p *parser) wrong(what string) error { return fmt.Errorf("%q: %s", p.text, what) }

func (p *parser) done() bool          { return p.at >= len(p.tokens) }
func (p *parser) is(sign string) bool { return p.peek(0) == sign }

func (p *parser) peek(ahead int) string {
	if p.at+ahead < len(p.tokens) {
		return p.tokens[p.at+ahead]
	}
	return ""
}

func (p *parser) take(sign string) bool {
	if !p.is(sign) {
		return false
	}
	p.at++
	return true
}

// rule reads up to a semicolon, a fallback, or a comma after which another rule
// begins; next is how that one is joined.
func (p *parser) rule(s *Schedule) (r rule, next joint, err error) {
	holidays, begin, said := false, p.at, false
	for !p.done() && !p.is(";") && !p.is("|") {
		word := p.peek(0)
		switch {
		case word == remark: // without more it says that one has to ask
			p.at++
			r.unknown = r.unknown || !said
		case word == "week" && len(r.spans) == 0:
			if err := p.weeks(&r); err != nil {
				return r, replaces, err
			}
		case word == "24" && p.peek(1) == "/" && p.peek(2) == "7":
			p.at += 3
			r.spans = append(r.spans, span{from: 0, to: day})
		case word == "24" && p.peek(1) == "h":
			p.at += 2
			r.spans = append(r.spans, span{from: 0, to: day})
		case word == "," && (len(r.spans) > 0 || said) && !p.timeAt(1):
			p.at++
			return r.finish(holidays), adds, nil
		case len(r.spans) > 0 && weekday(word) >= 0: // a new rule without a sign between
			return r.finish(holidays), adds, nil
		case word == ",", word == ":" && len(r.spans) == 0:
			p.at++
		case (word == "ph" || word == "sh") && len(r.spans) == 0:
			p.at++
			if p.shift() != 0 {
				return r, replaces, p.wrong("days before or after a holiday")
			}
			holidays, s.Holidays, s.schools = true, true, s.schools || word == "sh"
			r.public, r.school = r.public || word == "ph", r.school || word == "sh"
		case word == "off", word == "closed":
			p.at++
			r.off, said = true, true
		case word == "open":
			p.at++
			r.unknown, said = false, true
		case word == "unknown":
			p.at++
			r.unknown = true
		case p.timeAt(0):
			x, err := p.span()
			if err != nil {
				return r, replaces, err
			}
			r.spans = append(r.spans, x)
			continue
		case weekday(word) >= 0 && len(r.spans) == 0:
			if err := p.days(&r); err != nil {
				return r, replaces, err
			}
		case (month(word) > 0 || year(word) > 0 || word == easterWord) && len(r.spans) == 0:
			d, err := p.dates()
			if err != nil {
				return r, replaces, err
			}
			r.dates = append(r.dates, d)
			for p.is(",") && d.from.day != 0 && smallNumber(p.peek(1)) >= 1 && smallNumber(p.peek(1)) <= 31 && !p.clock(1) && p.peek(2) != "-" {
				d.from.day, d.to.day = smallNumber(p.peek(1)), smallNumber(p.peek(1))
				r.dates = append(r.dates, d)
				p.at += 2
			}
		default:
			return r, replaces, p.wrong(fmt.Sprintf("%q is not understood", word))
		}
	}
	if strings.Trim(strings.Join(p.tokens[begin:p.at], ""), ",:") == "" {
		return r, replaces, p.wrong("no times")
	}
	return r.finish(holidays), replaces, nil
}

func (r rule) finish(holidays bool) rule {
	r.dated = holidays || r.weekdays != 0 || len(r.dates) > 0 || len(r.weeks) > 0 || len(r.nth) > 0
	if len(r.spans) == 0 {
		r.spans = []span{{from: 0, to: day}}
	}
	return r
}

// days reads a weekday or a range of them.
func (p *parser) days(r *rule) error {
	from := weekday(p.peek(0))
	to := from
	p.at++
	if p.is("[") {
		return p.nth(r, from)
	}
	if p.is("-") && weekday(p.peek(1)) >= 0 {
		to = weekday(p.peek(1))
		p.at += 2
	}
	for d := from; ; d = (d + 1) % 7 {
		r.weekdays |= 1 << d
		if d == to {
			return nil
		}
	}
}

// nth reads which of a weekday in the month count, as in Su[1], Sa[1,3], Mo[-1]. A
// weekday beside it, as in Th,Su[1], is one of all weeks.
func (p *parser) nth(r *rule, day int) error {
	p.at++
	for {
		sign := 1
		if p.take("-") {
			sign = -1
		}
		from := smallNumber(p.peek(0))
		if from < 1 || from > 5 {
			return p.wrong("no weekday of a month")
		}
		p.at++
		to := from
		if sign > 0 && p.is("-") {
			if to = smallNumber(p.peek(1)); to < from || to > 5 {
				return p.wrong("no weekdays of a month")
			}
			p.at += 2
		}
		for n := from; n <= to; n++ {
			r.nth = append(r.nth, nthDay{day, sign * n})
		}
		if p.take("]") {
			return nil
		}
		if !p.take(",") {
			return p.wrong("a bracket does not close")
		}
	}
}

// weeks reads weeks of the year, as in "week 1-10", "week 2-52/2".
func (p *parser) weeks(r *rule) error {
	p.at++
	for {
		w := weeks{from: smallNumber(p.peek(0)), step: 1}
		if w.from < 1 || w.from > 53 {
			return p.wrong("no week of a year")
		}
		p.at++
		if w.to = w.from; p.is("-") {
			if w.to = smallNumber(p.peek(1)); w.to < w.from || w.to > 53 {
				return p.wrong("no weeks of a year")
			}
			p.at += 2
			if p.take("/") {
				if w.step = smallNumber(p.peek(0)); w.step < 1 {
					return p.wrong("no step of weeks")
				}
				p.at++
			}
		}
		r.weeks = append(r.weeks, w)
		if !p.is(",") || smallNumber(p.peek(1)) < 0 || p.clock(1) {
			return nil
		}
		p.at++
	}
}

// dates reads a range of days such as "Mar 15-Sep 15", "Apr-Oct", "Oct 1-9",
// "2016 Apr 25 - 2016 Sep 26". A bare number at its end is a day of the same month.
func (p *parser) dates() (d dates, err error) {
	if d.from, err = p.date(); err != nil {
		return d, err
	}
	d.to = d.from
	if d.from.easter && !p.is("-") {
		return d, nil
	}
	if d.from.day == 0 && !d.from.easter {
		d.from.day, d.to.day = 1, 31
	}
	if d.from.month == 0 && !d.from.easter {
		d.from.month, d.to.month = 1, 12
	}
	if !p.is("-") {
		return d, nil
	}
	switch {
	case month(p.peek(1)) > 0 || year(p.peek(1)) > 0 || p.peek(1) == easterWord:
		p.at++
		to, err := p.date()
		if err != nil {
			return d, err
		}
		if to.year == 0 {
			to.year = d.from.year
		}
		if to.month == 0 && !to.easter {
			to.month = 12
		}
		if to.day == 0 && !to.easter {
			to.day = 31
		}
		if d.from.year == 0 && to.year != 0 {
			return d, p.wrong("a range of dates has a year at one end only")
		}
		d.to = to
	case smallNumber(p.peek(1)) >= 1 && smallNumber(p.peek(1)) <= 31 && !p.clock(1):
		d.to.day = smallNumber(p.peek(1))
		p.at += 2
	default:
		return d, p.wrong("a range of dates has no end")
	}
	return d, nil
}

func (p *parser) date() (d date, err error) {
	if p.take(easterWord) {
		return date{easter: true, after: p.shift()}, nil
	}
	if y := year(p.peek(0)); y > 0 {
		d.year = y
		p.at++
	}
	if m := month(p.peek(0)); m > 0 {
		d.month = m
		p.at++
		if n := smallNumber(p.peek(0)); n >= 1 && n <= 31 && len(p.peek(0)) <= 2 && !p.clock(0) {
			d.day = n
			p.at++
		}
	}
	if d == (date{}) {
		return d, p.wrong("a date is missing")
	}
	return d, nil
}

// easterWord stands for Easter Sunday.
const easterWord = "easter"

// shift reads a number of days, as in "+39 days"; 0 where there is none.
func (p *parser) shift() int {
	sign := p.peek(0)
	if sign != "-" && sign != "+" || smallNumber(p.peek(1)) < 0 || p.peek(2) != "day" && p.peek(2) != "days" {
		return 0
	}
	n := smallNumber(p.peek(1))
	if sign == "-" {
		n = -n
	}
	p.at += 3
	return n
}

var (
	weekdays = [...]string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}
	months   = [...]string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}
)

// weekday returns the number of a day by its name or at least two letters of it,
// -1 for another word.
func weekday(word string) int {
	for i, name := range weekdays {
		if len(word) >= 2 && strings.HasPrefix(name, word) {
			return i
		}
	}
	return -1
}

// month returns the number of a month by its name or at least three letters.
func month(word string) int {
	for i, name := range months {
		if len(word) >= 3 && strings.HasPrefix(name, word) {
			return i + 1
		}
	}
	return 0
}

func year(word string) int {
	if n := smallNumber(word); len(word) == 4 && n >= 1900 {
		return n
	}
	return 0
}

// smallNumber reads a small whole number, -1 for another word.
func smallNumber(word string) int {
	if word == "" || len(word) > 4 {
		return -1
	}
	n := 0
	for i := range len(word) {
		if !isDigit(word[i]) {
			return -1
		}
		n = 10*n + int(word[i]-'0')
	}
	return n
}
