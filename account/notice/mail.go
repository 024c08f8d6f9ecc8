package notice

import (
	_ "embed"
	"fmt"
	"html/template"
	"math/big"
	"strconv"
	"strings"
	"time"
)

//go:embed mail.html
var page string

// mail is the e-mail of a notice.
type mail struct {
	subject, text, html string
}

// content is the data of both forms of the e-mail.
type content struct {
	Title      string
	Paragraphs []string
	Bar        int // percent, at most 100
	Link       string
	Footer     string
}

// write makes the e-mail of a notice. The words depend on the deployment: one that
// sells no units beyond the quota mentions neither price nor credit.
func (n *Notices) write(p Payload) mail {
	month, err := time.Parse(monthForm, p.Month)
	if err != nil {
		month = n.options.Now().UTC() // cannot happen: the month was formatted from a time
	}
	name, used := month.Format("January"), percentOf(p.Used, p.MonthlyQuota)
	c := content{
		Title: fmt.Sprintf("%d%% of your Waygate units for %s are used", min(used, 99), name),
		Bar:   int(min(used, 100)), Link: p.Upgrade,
		Footer: fmt.Sprintf("This message comes at %s of a month's quota, once each.", thresholds()),
	}
	if p.Remaining == 0 {
		c.Title = fmt.Sprintf("Your Waygate units for %s are used up", name)
	}
	left := "none are"
	if p.Remaining > 0 {
		left = grouped(p.Remaining) + " are"
	}
	c.Paragraphs = []string{
		fmt.Sprintf("Your keys have used %s units in %s. The month includes %s, of which %s left. The count starts again on %s at 00:00 UTC.",
			grouped(p.Used), month.Format("January 2006"), grouped(p.MonthlyQuota), left, month.AddDate(0, 1, 0).Format("2 January 2006")),
		n.beyond(p),
	}
	var html strings.Builder
	if err := template.Must(template.New("mail").Parse(page)).Execute(&html, c); err != nil {
		html.Reset() // the text says the same
	}
	return mail{c.Title, c.plain(), html.String()}
}

// beyond describes what happens to calls above the quota.
func (n *Notices) beyond(p Payload) string {
	if n.options.UnitPrice <= 0 {
		if p.Remaining > 0 {
			return "When none are left, calls are refused with status 429 until then."
		}
		return "Until then calls are refused with status 429."
	}
	credit := fmt.Sprintf("your prepaid credit, %s at present, enough for %s units", pounds(p.BalanceMillipence), grouped(p.BalanceMillipence/n.options.UnitPrice))
	affords := p.BalanceMillipence >= n.options.UnitPrice
	switch {
	case p.Remaining > 0 && affords:
		return "When none are left, calls are paid from " + credit + "."
	case p.Remaining > 0:
		return "When none are left, calls are refused with status 402, since there is no prepaid credit. You can add some, or take a larger plan, at any time."
	case affords:
		return "Until then calls are paid from " + credit + "."
	}
	return "There is no prepaid credit left either, so calls are refused with status 402 until then, or until you add some or take a larger plan."
}

// plain returns the text form.
func (c content) plain() string {
	return c.Title + ".\n\n" + strings.Join(c.Paragraphs, "\n\n") + "\n\nUsage, credit and plan: " + c.Link + "\n\n--\n" + c.Footer + "\n"
}

// thresholds lists the thresholds: 80% and at 100%.
func thresholds() string {
	var all []string
	for _, t := range Thresholds {
		all = append(all, strconv.Itoa(t)+"%")
	}
	return strings.Join(all, " and at ")
}

// percentOf returns how many per cent of a whole a part is, rounded down; 100 of
// nothing.
func percentOf(part, whole int64) int64 {
	if whole <= 0 {
		return 100
	}
	p := new(big.Int).Mul(big.NewInt(part), big.NewInt(100))
	if p.Quo(p, big.NewInt(whole)); !p.IsInt64() {
		return 1<<63 - 1
	}
	return p.Int64()
}

// grouped writes a number with a comma at every thousand.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	first := 0
	if n < 0 {
		first = 1
	}
	for at := len(s) - 3; at > first; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// pounds formats an amount of millipence in pounds, without fractions of a penny:
// £1,234.56.
func pounds(millipence int64) string {
	pence := millipence / 1000
	return fmt.Sprintf("£%s.%02d", grouped(pence/100), pence%100)
}
