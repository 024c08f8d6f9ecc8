// Package voice is the endpoints that speak.
package voice

import (
	"net/http"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/voice"
)

// Deps are the dependencies of the endpoints.
type Deps struct {
	Voice *voice.Service // nil has none
}

// forEver is the Cache-Control of a clip, whose address has all that it is made of.
const forEver = "private, max-age=31536000, immutable"

// Rows returns the endpoints.
func Rows(d Deps) []edge.Row {
	c := clips{d.Voice}
	const get, post = http.MethodGet, http.MethodPost
	const clip = "audio/ogg"
	return []edge.Row{
		edge.On(edge.Prepared(edge.Row{Method: post, Path: "/v1/voice/clips", Auth: edge.Keyed, Class: edge.PerClip, Doc: clipsDoc}, c.prepare), c.make),
		edge.Write(edge.Row{Method: get, Path: "/v1/voice/clips/{hash}.{ext}", Auth: edge.Keyed, Keyless: true, Class: edge.Free, DropUnknown: true, Media: clip, Cache: forEver, Doc: clipDoc}, c.file),
		edge.On(edge.Row{Method: get, Path: "/v1/voice/bank", Effort: bankEffort, Auth: edge.Keyed, Keyless: true, Class: edge.Free, Doc: bankDoc}, c.bank),
		edge.Write(edge.Prepared(edge.Row{Method: get, Path: "/v1/voice/speech", Auth: edge.Keyed, Class: edge.PerClip, DropUnknown: true, BeyondContract: true, Media: clip, Doc: speechDoc}, c.prepareSpeech), c.speech),
	}
}
