package overview_test

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/waygate/waygate/account/overview"
)

// The figures again, from the raw rows, one obvious loop each.

func (all *rows) blocks(now time.Time) overview.Blocks {
	day, month := now.Format("2006-01-02"), now.Format("2006-01")
	b := overview.Blocks{GeneratedAt: now, Plans: all.plans(), TopEndpoints: top(all.used, now)}
	b.Abuse.MaxIssuancesPerHour = 100
	for _, h := range all.hours {
		if h.when == now.Format("2006-01-02T15") {
			b.Abuse.IssuancesThisHour += h.n
		}
	}
	for _, c := range all.today {
		if c.when == day && c.n > 0 {
			b.Abuse.IssuancesToday += c.n
			b.Abuse.DistinctIPsToday++
		}
	}

	b.Activation.WindowDays = 30
	waits := all.waits(func(i identity) bool { return inLastDays(i.created, now, 30) })
	b.Activation.Converted = int64(len(waits))
	b.Activation.MedianTTFCSeconds = median(waits)
	for _, w := range waits {
		faster := 0
		for _, other := range waits {
			if other <= w {
				faster++
			}
		}
		if faster*10 >= 9*len(waits) { // waits are in order: the first so long
			b.Activation.P90TTFCSeconds = new(max(0, w/1000))
			break
		}
	}

	for _, l := range all.balances {
		b.Credit.BalancePence += l.left
		b.Credit.CreditedTotalPence += l.credited
	}
	b.Credit.BalancePence /= 1000
	b.Credit.CreditedTotalPence /= 1000
	b.Credit.ConsumedPence = b.Credit.CreditedTotalPence - b.Credit.BalancePence

	b.Downloads.Month = month
	var bytes int64
	for _, d := range all.downloads {
		if d.month == month {
			bytes += d.bytes
		}
	}
	for b.Downloads.UsedMiB*1024*1024 < bytes {
		b.Downloads.UsedMiB++
	}

	sources := map[string]int64{}
	for _, i := range all.identities {
		b.Identities.Total++
		if inLastDays(i.created, now, 7) {
			b.Identities.New7d++
		}
		if inLastDays(i.created, now, 30) {
			b.Identities.New30d++
			b.Activation.Signups++
		}
		if i.source == "" {
			b.Identities.Untagged++
		} else {
			sources[i.source]++
		}
		if i.allowance == nil {
			b.Downloads.AllowanceMiB += 8192
		} else {
			b.Downloads.AllowanceMiB += *i.allowance
		}
	}
	if b.Activation.Signups > 0 {
		b.Activation.ConversionRate = float64(b.Activation.Converted) / float64(b.Activation.Signups)
	}
	b.Identities.BySource = []overview.SourceCount{}
	for _, s := range largest(sources) {
		b.Identities.BySource = append(b.Identities.BySource, overview.SourceCount{Source: s, Count: sources[s]})
	}
	return b
}

func (all *rows) commercial(now time.Time) overview.Commercial {
	c := overview.Commercial{GeneratedAt: now, RetentionProxy: all.retention(now)}
	c.Revenue = overview.Revenue{WindowDays: 30, AllTime: all.settled(now, 1e6), Last30d: all.settled(now, 30), Plans: all.plans()}
	for _, i := range all.identities {
		if i.customer != nil {
			c.Revenue.StripeCustomers++
		}
		if i.plan == "team" && i.subscription != nil {
			c.Revenue.MRRBilledAccounts++
			c.Revenue.MRRBilledPence += 4900
		}
	}

	c.Funnel.Identities = int64(len(all.identities))
	for _, i := range all.identities {
		if slices.ContainsFunc(all.keys, func(k key) bool { return k.identity != nil && *k.identity == i.id }) {
			c.Funnel.WithKey++
		}
		if slices.ContainsFunc(all.payments, func(p payment) bool { return p.identity == i.id }) {
			c.Funnel.PaidIdentities++
		}
	}
	for _, k := range all.keys {
		if k.identity != nil && k.first != nil {
			c.Funnel.ActivatedKeys++
		}
	}
	waits := all.waits(func(identity) bool { return true })
	c.Funnel.ActivatedIdentities, c.Funnel.MedianActivationSeconds = int64(len(waits)), median(waits)

	c.UsageMix = overview.UsageMix{WindowDays: 30, TopEndpoints: top(all.used, now)}
	for _, u := range all.used {
		switch {
		case !lately(u.day, now):
			continue
		case u.class == "premium":
			c.UsageMix.Premium += u.calls
		default:
			c.UsageMix.Standard += u.calls
		}
		c.UsageMix.Total += u.calls
	}

	c.DemoLane = overview.DemoLane{Enabled: true, RPMPerIP: 600, WindowDays: 30, TopEndpoints: top(all.demo, now), PremiumFeatures: []overview.DemoFeature{}}
	for _, u := range all.demo {
		if !lately(u.day, now) {
			continue
		}
		c.DemoLane.Calls += u.calls
		c.DemoLane.Units += u.units
		c.DemoLane.NotionalMillipence += u.units * price
		if u.class == "premium" {
			c.DemoLane.Premium += u.calls
			c.DemoLane.PremiumUnits += u.units
		} else {
			c.DemoLane.Standard += u.calls
		}
	}
	calls, units := map[string]int64{}, map[string]int64{}
	for _, f := range all.features {
		if lately(f.day, now) && f.what != "x402" { // that call paid
			calls[f.what] += f.calls
			units[f.what] += f.units
		}
	}
	for _, f := range largest(units) {
		c.DemoLane.PremiumFeatures = append(c.DemoLane.PremiumFeatures, overview.DemoFeature{Features: f, Calls: calls[f], Units: units[f]})
	}

	c.Prepaid = overview.Prepaid{WindowDays: 30, AllTime: all.credit(now, 1e6), Last30d: all.credit(now, 30)}
	for _, l := range all.balances {
		c.Prepaid.OutstandingPence += l.left
	}
	c.Prepaid.OutstandingPence /= 1000
	return c
}

func inLastDays(at int64, now time.Time, days int) bool {
	return now.UnixMilli()-at <= int64(days)*24*3600*1000
}

// lately is today and the 29 days before.
func lately(day string, now time.Time) bool {
	for n := range 30 {
		if now.AddDate(0, 0, -n).Format(time.DateOnly) == day {
			return true
		}
	}
	return false
}

// waits returns the times to a first call in milliseconds, shortest first.
func (all *rows) waits(of func(identity) bool) []int64 {
	var waits []int64
	for _, i := range all.identities {
		var first *int64
		for _, k := range all.keys {
			if k.identity != nil && *k.identity == i.id && k.first != nil && (first == nil || *k.first < *first) {
				first = k.first
			}
		}
		if first != nil && of(i) {
			waits = append(waits, *first-i.created)
		}
	}
	slices.Sort(waits)
	return waits
}

func median(sorted []int64) *int64 {
	n := len(sorted)
	switch {
	case n == 0:
		return nil
	case n%2 == 1:
		return new(max(0, sorted[n/2]/1000))
	}
	return new(max(0, (sorted[n/2-1]+sorted[n/2])/2000))
}

// largest returns keys by value, largest first, then by name.
func largest(counts map[string]int64) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}

func top(all []used, now time.Time) []overview.EndpointUsage {
	counts := map[string]int64{}
	for _, u := range all {
		if lately(u.day, now) && u.calls > 0 {
			counts[u.what] += u.calls
		}
	}
	list := []overview.EndpointUsage{}
	for _, e := range largest(counts) {
		list = append(list, overview.EndpointUsage{Endpoint: e, Count: counts[e]})
	}
	return list
}

func (all *rows) plans() []overview.PlanCount {
	counts := map[string]int64{}
	for _, i := range all.identities {
		counts[i.plan]++
	}
	prices := map[string]*int64{"free": new(int64(0)), "team": new(int64(4900))}
	list := []overview.PlanCount{}
	for _, p := range largest(counts) {
		list = append(list, overview.PlanCount{Plan: p, Count: counts[p], MonthlyPence: prices[p]})
	}
	return list
}

func (all *rows) settled(now time.Time, days int) (s overview.SettledRevenue) {
	who := map[string]bool{}
	for _, p := range all.payments {
		if !inLastDays(p.at, now, days) {
			continue
		}
		who[p.identity] = true
		s.Payments++
		s.Pence += p.pence
		if p.kind == "credit" {
			s.CreditPence += p.pence
		} else {
			s.SubscriptionPence += p.pence
		}
	}
	s.Accounts = int64(len(who))
	return s
}

func (all *rows) credit(now time.Time, days int) (p overview.PrepaidRevenue) {
	who := map[string]bool{}
	for _, e := range all.entries {
		switch {
		case !inLastDays(e.at, now, days):
		case e.kind == "usage":
			p.ConsumedPence -= e.millipence
			who[e.identity] = true
		case e.source == "stripe":
			p.SoldPence += e.millipence
		default:
			p.GrantedPence += e.millipence
		}
	}
	p.SoldPence /= 1000
	p.GrantedPence /= 1000
	p.ConsumedPence /= 1000
	p.Accounts = int64(len(who))
	return p
}

func (all *rows) retention(now time.Time) []overview.RetentionMonth {
	owner := map[string]string{}
	for _, k := range all.keys {
		if k.identity != nil {
			owner[k.id] = *k.identity
		}
	}
	active := func(month string) map[string]bool {
		who := map[string]bool{}
		for _, u := range all.used {
			if i, ok := owner[u.who]; ok && u.calls > 0 && u.day[:7] == month {
				who[i] = true
			}
		}
		return who
	}
	var months []overview.RetentionMonth
	for n := 11; n >= 0; n-- {
		month := time.Date(now.Year(), now.Month()-time.Month(n), 1, 0, 0, 0, 0, time.UTC)
		before := active(month.AddDate(0, -1, 0).Format("2006-01"))
		m := overview.RetentionMonth{Month: month.Format("2006-01")}
		for who := range active(m.Month) {
			m.Active++
			if before[who] {
				m.Retained++
			}
		}
		if len(before) > 0 {
			m.RetentionRate = new(float64(m.Retained) / float64(len(before)))
		}
		months = append(months, m)
	}
	return months
}
