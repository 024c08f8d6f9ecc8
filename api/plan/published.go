package plan

import (
	"context"
	"net/http"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/dispatch"
	"github.com/waygate/waygate/wire/native/plan"
)

// published is the endpoints of plans that drivers follow.
type published struct{ service *dispatch.Service }

// What it takes about to write a plan of the most stops with their links, and to read one.
var (
	publishingEffort = engine.Estimate{Kind: "publishing a plan", Work: 33 * time.Millisecond, Bytes: 4 << 20, Cores: 1}
	publishedEffort  = engine.Estimate{Kind: "published plan", Work: 8 * time.Millisecond, Bytes: 4 << 20, Cores: 1}
)

// publishedRows returns the endpoints of published plans and of their links.
func publishedRows(service *dispatch.Service) []edge.Row {
	const get, post, put, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete
	p := published{service}
	owned := func(method, path string, doc edge.Doc) edge.Row {
		return edge.Row{Method: method, Path: path, Auth: edge.Keyed, Class: edge.Free, Account: true, BeyondContract: true, Doc: doc}
	}
	publish, replace, one := owned(post, "/v1/plans", publishDoc), owned(put, "/v1/plans/{id}", replaceDoc), owned(get, "/v1/plans/{id}", publishedDoc)
	publish.Class, publish.Status, publish.MaxBody, publish.Effort = edge.Standard, http.StatusCreated, mostPublished, publishingEffort
	replace.Class, replace.MaxBody, replace.Effort = edge.Standard, mostPublished, publishingEffort
	one.Tagged, one.Effort = true, publishedEffort
	link := owned(post, "/v1/plans/{id}/links", linkDoc)
	link.Status = http.StatusCreated
	linked := func(method, path string, doc edge.Doc) edge.Row {
		return edge.Row{Method: method, Path: path, Auth: edge.Linked, Class: edge.Free, BeyondContract: true, Tagged: method == get, Effort: publishedEffort, Doc: doc}
	}
	return []edge.Row{
		edge.On(publish, p.publish),
		edge.On(owned(get, "/v1/plans", publishedListDoc), p.list),
		edge.On(one, p.get),
		edge.On(replace, p.replace),
		edge.On(owned(del, "/v1/plans/{id}", unpublishDoc), p.delete),
		edge.On(link, p.link),
		edge.On(owned(del, "/v1/plans/{id}/links/{link}", revokeDoc), p.revoke),
		edge.On(linked(get, "/v1/driver", driverDoc), p.driver),
		edge.On(linked(post, "/v1/driver/marks", marksDoc), p.mark),
		edge.On(linked(get, "/v1/arrival", arrivalDoc), p.arrival),
	}
}

// mostPublished is how many bytes the body of a plan may have.
const mostPublished = 2 << 20

const publishExample = `{"name":"Monday","rounds":[{"vehicle":"van-1","name":"Van 1","stops":[{"id":"a","name":"Bakery","address":"1 Quay Street","lat":49.324115,"lon":-7.251523,"arrival_s":29400,"begin_s":29400,"end_s":29700,"time_windows":[[28800,36000]]}]}]}`

var (
	publishDoc = edge.Doc{
		Summary: "Publish a plan for drivers to follow", Tags: []string{"planning"}, Example: publishExample,
		Description: "Keeps the rounds of a plan with a link for each driver and for the arrival at each stop, and what drivers report. `links` has the tokens, which are stored as hashes and are in no other answer; the page of a driver is /driver#TOKEN, that of an arrival /arrival#TOKEN. " +
			"What is kept is what was sent and what drivers report: a state, a time and a note for each stop. All of it is deleted with the plan, which happens keep_days after its day, or within an hour after the key was revoked or has expired; its links open nothing from then on. A key may have 50 plans (429 plans-too-many) of 1,000 stops each, in a body of at most 2 MiB. Needs a key.",
	}
	replaceDoc = edge.Doc{
		Summary: "Publish a plan anew", Tags: []string{"planning"}, Example: publishExample,
		Description: "Puts other rounds in place of those of a plan, as after planning the rest of the day. Links of vehicles and stops that remain stay as they are, in force or revoked, and what was reported of them stays too, also of a stop that another vehicle serves now; what is new gets links, which `links` has. Needs a key.",
	}
	publishedListDoc = edge.Doc{Summary: "The key's published plans", Tags: []string{"planning"}, Description: "Those that are not at their end, the newest first. Free of charge."}
	publishedDoc     = edge.Doc{Summary: "A published plan and how far it is", Tags: []string{"planning"}, Description: "Its rounds with what drivers have reported, and when the rest is expected: from the last report on, by the planned times of drives and of work. It has an entity tag, to ask for changes by. A plan of another key, or one at its end, is a 404. Free of charge."}
	unpublishDoc     = edge.Doc{Summary: "Delete a published plan", Tags: []string{"planning"}, Description: "With its links and all that was reported. Free of charge."}
	linkDoc          = edge.Doc{Summary: "Make a new link of a published plan", Tags: []string{"planning"}, Example: `{"vehicle":"van-1"}`, Description: "Of a vehicle's driver, or of the arrival at a stop. The link before opens nothing any more. Free of charge."}
	revokeDoc        = edge.Doc{Summary: "Revoke a link of a published plan", Tags: []string{"planning"}, Description: "It opens nothing any more, also after the plan is published anew. Free of charge."}

	driverDoc = edge.Doc{Summary: "The round of a driver's link", Tags: []string{"planning"}, Description: "The stops of one vehicle with what was reported. A token that is unknown, revoked or at its end is the same 404. It has an entity tag. Free of charge; a link may be called 600 times a minute, and a client network may make 6,000 such calls and try 600 tokens that have opened nothing in the last hour."}
	marksDoc  = edge.Doc{
		Summary: "Report stops by a driver's link", Tags: []string{"planning"}, Example: `{"marks":[{"stop":"a","state":"done","note":"left with the neighbour"}]}`,
		Description: "Done, failed, or open again. Of each stop the report with the latest `at` counts, in whatever order they come, so that they may be sent late and more than once. Of a stop that another vehicle serves now, the driver before can still report that it was done; other stops that are not on the round are named in `ignored`. Free of charge; limited as GET /v1/driver.",
	}
	arrivalDoc = edge.Doc{Summary: "The arrival of a stop's link", Tags: []string{"planning"}, Description: "The state, the windows and the expected time of one stop, and nothing else. A token that is unknown, revoked or at its end is the same 404. It has an entity tag. Free of charge; limited as GET /v1/driver."}
)

// planOwner returns the key of a call.
func planOwner(ctx context.Context) (string, error) {
	if k := edge.CallOf(ctx).Key(); k != nil {
		return k.ID, nil
	}
	return "", fault.New(fault.Unauthorized, "published plans belong to an API key; send it as Authorization: Bearer KEY or as the query parameter api_key")
}

type publishIn struct{ Body plan.PublishRequest }

func (p published) publish(ctx context.Context, in *publishIn) (*dispatch.Published, error) {
	key, err := planOwner(ctx)
	if err != nil {
		return nil, err
	}
	return p.service.Publish(ctx, key, &in.Body)
}

func (p published) list(ctx context.Context, _ *struct{}) (*dispatch.PlanList, error) {
	key, err := planOwner(ctx)
	if err != nil {
		return nil, err
	}
	return p.service.List(ctx, key)
}

type publishedIn struct {
	ID string `path:"id" doc:"of the plan"`
}

func (p published) get(ctx context.Context, in *publishedIn) (*dispatch.Followed, error) {
	key, err := planOwner(ctx)
	if err != nil {
		return nil, err
	}
	return p.service.Get(ctx, key, in.ID)
}

type replaceIn struct {
	publishedIn
	Body plan.PublishRequest
}

func (p published) replace(ctx context.Context, in *replaceIn) (*dispatch.Published, error) {
	key, err := planOwner(ctx)
	if err != nil {
		return nil, err
	}
	return p.service.Replace(ctx, key, in.ID, &in.Body)
}

// Gone is the answer to deleting a plan or revoking a link.
type Gone struct {
	ID   string `json:"id"`
	Gone bool   `json:"gone"`
}

func (p published) delete(ctx context.Context, in *publishedIn) (*Gone, error) {
	key, err := planOwner(ctx)
	if err != nil {
		return nil, err
	}
	return &Gone{in.ID, true}, p.service.Delete(ctx, key, in.ID)
}

type linkIn struct {
	publishedIn
	Body plan.LinkRequest
}

func (p published) link(ctx context.Context, in *linkIn) (*dispatch.NewLink, error) {
	key, err := planOwner(ctx)
	if err != nil {
		return nil, err
	}
	return p.service.Relink(ctx, key, in.ID, &in.Body)
}

type revokeIn struct {
	publishedIn
	Link string `path:"link" doc:"id of the link"`
}

func (p published) revoke(ctx context.Context, in *revokeIn) (*Gone, error) {
	key, err := planOwner(ctx)
	if err != nil {
		return nil, err
	}
	return &Gone{in.Link, true}, p.service.Revoke(ctx, key, in.ID, in.Link)
}

func (p published) driver(ctx context.Context, _ *struct{}) (*dispatch.Driven, error) {
	return edge.ByLink(ctx, p.service.Driver)
}

type markIn struct{ Body plan.MarkRequest }

func (p published) mark(ctx context.Context, in *markIn) (*dispatch.Driven, error) {
	return edge.ByLink(ctx, func(ctx context.Context, token string) (*dispatch.Driven, error) {
		return p.service.Mark(ctx, token, in.Body.Marks)
	})
}

func (p published) arrival(ctx context.Context, _ *struct{}) (*dispatch.Arrival, error) {
	return edge.ByLink(ctx, p.service.Arrival)
}
