package geocode

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/fault"
)

// Recent has the places that a key has picked.
type Recent struct {
	Remember bool     `json:"remember" doc:"whether the places that the key picks are remembered; they are not unless it asks"`
	Places   []string `json:"places" nullable:"false" maxItems:"50" doc:"their ids, the last picked first"`
}

var rememberDoc = edge.Doc{
	Summary: "Remember which suggestions are picked", Tags: []string{"geocoding"},
	Description: "From now on the places that the key reports with GET /geocode/selection are remembered, the last 50 of them, and come first among its suggestions where they meet what is typed. It is a setting of the key, off unless this turns it on: without it nothing of a key's picks is kept. " +
		"What is kept is the ids of places and nothing else: neither what was typed, nor when, nor where from. A key that many people share, such as one of scope maps in a page, shares them too; such a key cannot turn it on. DELETE /geocode/recent forgets them, and they end with the key.",
}

var recentDoc = edge.Doc{
	Summary: "What is remembered of picked suggestions", Tags: []string{"geocoding"},
	Description: "Whether the key has its picks remembered, and which places they are.",
}

var forgetDoc = edge.Doc{
	Summary: "Forget which suggestions were picked", Tags: []string{"geocoding"},
	Description: "Forgets the places that the key picked, and remembers none from now on.",
}

type recentIn struct{}

// own returns the id of the key of the call.
func (g geocoder) own(ctx context.Context) (string, error) {
	key := edge.CallOf(ctx).Key()
	switch {
	case key == nil:
		return "", fault.New(fault.Unauthorized, "what is remembered is a setting of an API key; send it as Authorization: Bearer KEY or as the query parameter api_key")
	case g.selections == nil:
		return "", fault.New(fault.Internal, "selections are not counted")
	}
	return key.ID, nil
}

func (g geocoder) remember(ctx context.Context, _ *recentIn) (*Recent, error) {
	key, err := g.own(ctx)
	if err != nil {
		return nil, err
	}
	if err := g.selections.Remember(ctx, key); err != nil {
		return nil, err
	}
	return g.remembered(ctx, key)
}

func (g geocoder) recent(ctx context.Context, _ *recentIn) (*Recent, error) {
	key, err := g.own(ctx)
	if err != nil {
		return nil, err
	}
	return g.remembered(ctx, key)
}

func (g geocoder) remembered(ctx context.Context, key string) (*Recent, error) {
	places, on, err := g.selections.Recent(ctx, key)
	if err != nil {
		return nil, err
	}
	if places == nil {
		places = []string{}
	}
	return &Recent{on, places}, nil
}

func (g geocoder) forget(ctx context.Context, _ *recentIn) (*struct{}, error) {
	key, err := g.own(ctx)
	if err != nil {
		return nil, err
	}
	return nil, g.selections.Forget(ctx, key)
}
