package overview

import "time"

// Commercial is the answer of GET /admin/commercial.
type Commercial struct {
	GeneratedAt    time.Time        `json:"generated_at" doc:"When these figures were read. Usage of the last moments before it may not be in them yet."`
	Revenue        Revenue          `json:"revenue" doc:"Payments that the processor has settled, and what plans bill."`
	Funnel         Funnel           `json:"funnel" doc:"From signup to payment, of all time."`
	UsageMix       UsageMix         `json:"usage_mix" doc:"Charged calls with a key by class."`
	RetentionProxy []RetentionMonth `json:"retention_proxy" nullable:"false" doc:"The last 12 months (UTC), oldest first, the current one included. A proxy: an identity counts as active with one charged call."`
	DemoLane       DemoLane         `json:"demo_lane" doc:"Calls without a key."`
	Prepaid        Prepaid          `json:"prepaid" doc:"Prepaid credit, from the ledger's entries."`
}

// Revenue is settled revenue.
type Revenue struct {
	WindowDays        int            `json:"window_days" doc:"Days of last_30d."`
	AllTime           SettledRevenue `json:"all_time" doc:"Since the first payment."`
	Last30d           SettledRevenue `json:"last_30d" doc:"Of the window."`
	MRRBilledPence    int64          `json:"mrr_billed_pence" doc:"What the subscriptions bill a month, by the prices now on offer."`
	MRRBilledAccounts int64          `json:"mrr_billed_accounts" doc:"Identities with such a subscription. One on a plan no longer on offer is not in it, for its price is not known here."`
	StripeCustomers   int64          `json:"stripe_customers" doc:"Identities linked to a customer at the processor."`
	Plans             []PlanCount    `json:"plans" nullable:"false" doc:"Identities by plan, largest first."`
}

// SettledRevenue is a sum of payments.
type SettledRevenue struct {
	Pence             int64 `json:"pence" doc:"All of it."`
	CreditPence       int64 `json:"credit_pence" doc:"For prepaid credit."`
	SubscriptionPence int64 `json:"subscription_pence" doc:"For plans."`
	Payments          int64 `json:"payments" doc:"How many payments."`
	Accounts          int64 `json:"accounts" doc:"Identities that paid."`
}

// Funnel counts how many identities reached each step.
type Funnel struct {
	Identities              int64  `json:"identities" doc:"Signed up."`
	WithKey                 int64  `json:"with_key" doc:"Had a key, revoked and expired ones included."`
	ActivatedIdentities     int64  `json:"activated_identities" doc:"Made a successful call."`
	ActivatedKeys           int64  `json:"activated_keys" doc:"Keys of identities that made a successful call; an operator's own keys are not in it."`
	PaidIdentities          int64  `json:"paid_identities" doc:"Have a settled payment."`
	MedianActivationSeconds *int64 `json:"median_activation_seconds" doc:"Median time from signup to the first successful call; null until one identity made one."`
}

// UsageMix has the shares of the classes in calls.
type UsageMix struct {
	WindowDays   int             `json:"window_days" doc:"Today (UTC) and the days before it."`
	Standard     int64           `json:"standard" doc:"Calls charged as Standard."`
	Premium      int64           `json:"premium" doc:"Calls charged as Premium. A floor of the lorry and dangerous-goods calls: an endpoint with one price charges Standard whatever the costing."`
	Total        int64           `json:"total" doc:"Charged calls."`
	TopEndpoints []EndpointUsage `json:"top_endpoints" nullable:"false" doc:"Most called first, at most 20."`
}

// RetentionMonth is the retention of one month.
type RetentionMonth struct {
	Month         string   `json:"month" doc:"YYYY-MM, UTC."`
	Active        int64    `json:"active" doc:"Identities with a charged call in the month."`
	Retained      int64    `json:"retained" doc:"Those of them that were active in the month before as well."`
	RetentionRate *float64 `json:"retention_rate" doc:"retained over the active of the month before, 0.0 to 1.0; null where there were none."`
}

// DemoLane has the usage of callers without a key.
type DemoLane struct {
	Enabled            bool            `json:"enabled" doc:"Whether calls without a key are let in now."`
	RPMPerIP           int64           `json:"rpm_per_ip" doc:"Calls a minute for one client network (SVC_DEMO_RPM)."`
	WindowDays         int             `json:"window_days" doc:"Today (UTC) and the days before it."`
	Calls              int64           `json:"calls" doc:"Successful calls; refused and failed ones count nowhere."`
	Standard           int64           `json:"standard" doc:"Those of class Standard."`
	Premium            int64           `json:"premium" doc:"Those of class Premium."`
	Units              int64           `json:"units" doc:"What they would have counted with a key."`
	PremiumUnits       int64           `json:"premium_units" doc:"The Premium part of units."`
	NotionalMillipence int64           `json:"notional_millipence" doc:"units at the price of prepaid credit; nothing is charged."`
	PremiumFeatures    []DemoFeature   `json:"premium_features" nullable:"false" doc:"What made calls Premium, most units first, at most 50. A call with several counts under each, so these may sum to more than premium."`
	TopEndpoints       []EndpointUsage `json:"top_endpoints" nullable:"false" doc:"Most called first, at most 20."`
	Clients            DemoClients     `json:"clients" doc:"Who called, as this process saw it."`
}

// DemoFeature counts calls that one thing made Premium.
type DemoFeature struct {
	Features string `json:"features" doc:"truck, adr, …"`
	Calls    int64  `json:"calls" doc:"Calls with it."`
	Units    int64  `json:"units" doc:"Units of these calls."`
}

// DemoClients has the memory of one process of the demo lane's callers.
type DemoClients struct {
	Since    time.Time    `json:"since" doc:"When this process began to count."`
	Tracked  int          `json:"tracked" doc:"Networks it remembers."`
	Capacity int          `json:"capacity" doc:"The most it remembers."`
	Evicted  int64        `json:"evicted" doc:"Networks it forgot to make room."`
	Top      []DemoClient `json:"top" nullable:"false" doc:"Most calls first. Kept in memory only."`
}

// DemoClient is one network that calls without a key.
type DemoClient struct {
	Address string    `json:"address" doc:"IPv4 address or IPv6 network."`
	Calls   int64     `json:"calls" doc:"Calls since it is remembered."`
	Units   int64     `json:"units" doc:"What they would have counted with a key."`
	Last    time.Time `json:"last" doc:"The last call."`
}

// Prepaid has the figures of prepaid credit.
type Prepaid struct {
	WindowDays       int            `json:"window_days" doc:"Days of last_30d."`
	AllTime          PrepaidRevenue `json:"all_time" doc:"Since the first entry."`
	Last30d          PrepaidRevenue `json:"last_30d" doc:"Of the window. Consumption is one entry a day and counts with that day's entry."`
	OutstandingPence int64          `json:"outstanding_pence" doc:"Unspent credit of all identities, rounded down: what is still owed in service."`
}

// PrepaidRevenue sums entries of the ledger.
type PrepaidRevenue struct {
	SoldPence     int64 `json:"sold_pence" doc:"Credit bought through the processor."`
	GrantedPence  int64 `json:"granted_pence" doc:"Credit that operators gave."`
	ConsumedPence int64 `json:"consumed_pence" doc:"Credit spent on calls, rounded down: what of it is earned."`
	Accounts      int64 `json:"accounts" doc:"Identities that spent credit."`
}
