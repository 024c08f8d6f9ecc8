package admin

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feed"
)

// FeedList is all feeds.
type FeedList struct {
	Feeds []feed.Status `json:"feeds" nullable:"false" doc:"by kind and id"`
}

// sources shows the feeds.
type sources struct{ set *feed.Set }

var feedsDoc = edge.Doc{Summary: "Live feeds", Tags: []string{"admin"}, Description: "Every feed of this replica: its state, the age of what is in force, what was left out of it and why, and what went wrong with the last poll. Replicas poll for themselves."}

func (s sources) list(context.Context, *struct{}) (*FeedList, error) {
	list := s.set.Status()
	if list == nil {
		list = []feed.Status{}
	}
	return &FeedList{list}, nil
}
