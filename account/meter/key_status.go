package meter

import (
	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/fault"
)

// KeyStatus is the answer of GET /v1/keys/self.
type KeyStatus struct {
	Key               account.Key
	MonthlyQuota      int64
	Used, Remaining   int64 // units of the period; what calls under way have reserved does not remain
	Millipence        int64 // credit left; 0 where the key cannot spend any
	IdentityKeys      int64 // neither revoked nor expired
	DownloadMiB       int64 // allowance a month
	DownloadUsedMiB   int64 // rounded up
	MAU, MAUIncluded  int64
	MAUOverdrawn      bool
	Period            string // 2026-11, or life
	WebhookConfigured bool
}

// KeyStatus returns the status and the figures of an admission's key; unauthorized for an
// admission without one. It reads memory only: units and credit are exact for the calls of
// this replica, the other figures as old as the cached record.
func (g *Gate) KeyStatus(p *Admission) (*KeyStatus, error) {
	r := p.record
	if r == nil {
		return nil, fault.New(fault.Unauthorized, "%s needs an API key", p.endpoint)
	}
	now := g.now()
	s := &KeyStatus{
		Key: r.key, MonthlyQuota: r.quota, IdentityKeys: r.identityKeys,
		DownloadMiB: r.downloadMiB, DownloadUsedMiB: (r.downloaded + 1<<20 - 1) >> 20,
		MAU: r.activeUsers, MAUIncluded: r.includedUsers, MAUOverdrawn: r.activeUsers > r.includedUsers,
		Period: r.periodOn(g.dateOf(now)), WebhookConfigured: r.webhook,
	}
	s.Key.RatePerMin = r.rate
	pool := g.pools.lock(r, now)
	defer pool.mu.Unlock()
	in := pool.period(s.Period)
	s.Used, s.Remaining = in.used(), max(0, r.quota-in.used()-in.reserved)
	for _, b := range pool.booked {
		if b.period == s.Period {
			s.Used += b.units
		}
	}
	s.Key.FirstSuccessAt = r.success.Load()
	if first, ok := pool.firsts[r.key.ID]; ok {
		s.Key.FirstSuccessAt = &first
	}
	if r.sold != "" {
		s.Millipence = pool.credit.unspent()
	}
	return s, nil
}
