package overview

import "time"

// Blocks are the answer of GET /admin/overview.
type Blocks struct {
	GeneratedAt  time.Time       `json:"generated_at" doc:"When these figures were read. Usage of the last moments before it may not be in them yet."`
	Abuse        Abuse           `json:"abuse" doc:"Issuance of keys, to see floods."`
	Activation   Activation      `json:"activation" doc:"How many who signed up came to make a call, and how soon."`
	Credit       Credit          `json:"credit" doc:"Prepaid credit of all identities."`
	Downloads    Downloads       `json:"downloads" doc:"Offline downloads of this month, all identities."`
	Identities   Identities      `json:"identities" doc:"Who has signed up, and through which channel."`
	Plans        []PlanCount     `json:"plans" nullable:"false" doc:"Identities by plan, largest first."`
	TopEndpoints []EndpointUsage `json:"top_endpoints" nullable:"false" doc:"Most called endpoints of the last 30 days with a key, today included, largest first, at most 20."`
}

// Abuse has the figures of floods of keys.
type Abuse struct {
	IssuancesThisHour   int64 `json:"issuances_this_hour" doc:"Self-serve keys issued since the full hour."`
	MaxIssuancesPerHour int64 `json:"max_issuances_per_hour" doc:"The ceiling of it (SVC_MAX_ISSUANCES_PER_HOUR); 0 means disabled."`
	IssuancesToday      int64 `json:"issuances_today" doc:"Self-serve keys issued since midnight UTC."`
	DistinctIPsToday    int64 `json:"distinct_ips_today" doc:"Client networks they went to; addresses are kept as hashes."`
}

// Activation has the figures of the way from a signup to the first call.
type Activation struct {
	WindowDays        int     `json:"window_days" doc:"Signups of the last so many times 24 hours."`
	Signups           int64   `json:"signups" doc:"Identities that began in the window."`
	Converted         int64   `json:"converted" doc:"Those of them with a successful call."`
	ConversionRate    float64 `json:"conversion_rate" doc:"converted over signups, 0.0 to 1.0; 0.0 with no signups."`
	MedianTTFCSeconds *int64  `json:"median_ttfc_seconds" doc:"Time from signup to first successful call, median of the converted; null with none."`
	P90TTFCSeconds    *int64  `json:"p90_ttfc_seconds" doc:"The same for the slowest tenth, by nearest rank: nine of ten took at most so long; null with none."`
}

// Credit has the prepaid credit of all identities.
type Credit struct {
	BalancePence       int64 `json:"balance_pence" doc:"Unspent, rounded down."`
	CreditedTotalPence int64 `json:"credited_total_pence" doc:"Ever credited, bought or granted, rounded down."`
	ConsumedPence      int64 `json:"consumed_pence" doc:"credited_total_pence minus balance_pence."`
}

// Downloads has the downloads of one month.
type Downloads struct {
	Month        string `json:"month" doc:"YYYY-MM, UTC."`
	UsedMiB      int64  `json:"used_mib" doc:"Rounded up."`
	AllowanceMiB int64  `json:"allowance_mib" doc:"Sum of the allowances of all identities."`
}

// Identities has the numbers of identities.
type Identities struct {
	Total    int64         `json:"total" doc:"Identities ever."`
	New7d    int64         `json:"new_7d" doc:"Of the last 7 days."`
	New30d   int64         `json:"new_30d" doc:"Of the last 30 days."`
	BySource []SourceCount `json:"by_source" nullable:"false" doc:"By channel tag, largest first, at most 100 tags."`
	Untagged int64         `json:"untagged" doc:"Without a channel tag."`
}

// SourceCount counts one channel tag.
type SourceCount struct {
	Source string `json:"source" doc:"The tag."`
	Count  int64  `json:"count" doc:"Identities that signed up with it."`
}

// PlanCount counts one plan.
type PlanCount struct {
	Plan         string `json:"plan" doc:"Name; free without a subscription."`
	Count        int64  `json:"count" doc:"Identities on it."`
	MonthlyPence *int64 `json:"monthly_pence" doc:"What it bills a month; null for a plan that is not on offer any more."`
}

// EndpointUsage counts the calls of one endpoint.
type EndpointUsage struct {
	Endpoint string `json:"endpoint" doc:"Method and path shape, without the values of its parameters."`
	Count    int64  `json:"count" doc:"Calls."`
}
