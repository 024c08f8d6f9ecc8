package edge

import (
	"bytes"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/wire/json"
)

// keyParameter is the parameter of a query that holds an API key. tokenParameters
// are where clients of other services' families put theirs: they are read where they
// hold what can be a key.
const keyParameter = "api_key"

var tokenParameters = []string{"access_token", "key", "apiKey"}

// whereKeysGo ends every refusal of a key that came another way.
const whereKeysGo = "send an API key as Authorization: Bearer <API_KEY> or as api_key in the query"

// misplaced are headers in which other services take keys.
var misplaced = []string{"X-Api-Key", "Api-Key", "Apikey", "X-Auth-Token"}

// sentKey returns the API key of a request, "" where it has none: a bearer token
// or the query parameter api_key. It refuses, as unauthorized, a key in another
// place, an empty one, and two that differ: a caller who believes to be known
// must not be taken for one without a key.
func sentKey(r *http.Request) (string, error) {
	token, sent, err := bearer(r)
	if err != nil {
		return "", err
	}
	for _, key := range queryKeys(r.URL.RawQuery) {
		if sent && key != token {
			return "", fault.New(fault.Unauthorized, "two API keys that differ were sent; send one, in Authorization or in api_key")
		}
		token, sent = key, true
	}
	if sent && token == "" {
		return "", fault.New(fault.Unauthorized, "the API key is empty; %s", whereKeysGo)
	}
	if sent {
		return token, nil
	}
	for _, name := range misplaced {
		if r.Header.Get(name) != "" {
			return "", fault.New(fault.Unauthorized, "the header %s is not read here; %s", name, whereKeysGo)
		}
	}
	if json.Has([]byte(bodyInQuery(r)), keyParameter) {
		return "", fault.New(fault.Unauthorized, "an API key in the body is not read here; %s", whereKeysGo)
	}
	return "", keyInBody(r)
}

// bearer returns the token of the header Authorization.
func bearer(r *http.Request) (token string, sent bool, err error) {
	all := r.Header.Values("Authorization")
	switch len(all) {
	case 0:
		return "", false, nil
	case 1:
	default:
		return "", true, fault.New(fault.Unauthorized, "the header Authorization was sent %d times; send it once", len(all))
	}
	scheme, token, two := strings.Cut(strings.TrimSpace(all[0]), " ")
	switch {
	case strings.EqualFold(scheme, "Bearer"):
		return strings.TrimSpace(token), true, nil
	case two:
		return "", true, fault.New(fault.Unauthorized, "the scheme of Authorization must be Bearer; %s", whereKeysGo)
	}
	return "", true, fault.New(fault.Unauthorized, "the word Bearer and a space must come before the token in Authorization")
}

// queryKeys returns the keys of a query, whose names may be escaped too. A query
// with bare semicolons, as lists on the compatible endpoint have, does not parse
// with net/url: this looks at the pairs one by one.
func queryKeys(query string) []string {
	var keys []string
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		switch name, value = plain(name), plain(value); {
		case name == keyParameter, slices.Contains(tokenParameters, name) && account.Plausible(value):
			keys = append(keys, value)
		}
	}
	return keys
}

// withoutToken returns a query without those of tokenParameters that were read as a key.
func withoutToken(query string) string {
	if !strings.Contains(query, "=") {
		return query
	}
	pairs := strings.Split(query, "&")
	return strings.Join(slices.DeleteFunc(pairs, func(pair string) bool {
		name, value, _ := strings.Cut(pair, "=")
		return slices.Contains(tokenParameters, plain(name)) && account.Plausible(plain(value))
	}), "&")
}

// plain returns what was escaped for a query, or the text as it is where it is
// damaged.
func plain(s string) string {
	if p, err := url.QueryUnescape(s); err == nil {
		return p
	}
	return s
}

// keyInBody refuses a body that has a member api_key, or is a form with one.
func keyInBody(r *http.Request) error {
	if r.Method != http.MethodPost && r.Method != http.MethodPut || r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	body, err := Body(r)
	if err != nil {
		return err
	}
	r.Body = newReadBody(body)
	switch first := bytes.TrimLeft(body, " \t\r\n"); {
	case len(first) == 0 || first[0] == '[' || first[0] == '"':
		return nil
	case first[0] == '{':
		// A name may be escaped, and hardly any body has an escape.
		if may := bytes.Contains(body, []byte(keyParameter)) || bytes.IndexByte(body, '\\') >= 0; may && json.Has(body, keyParameter) {
			return fault.New(fault.Unauthorized, "an API key in the body is not read here; %s", whereKeysGo)
		}
	case len(queryKeys(string(body))) > 0:
		return fault.New(fault.Unauthorized, "an API key in a form is not read here; %s", whereKeysGo)
	}
	return nil
}
