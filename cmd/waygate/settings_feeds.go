package main

// feedSettings are about what the world tells at the moment.
type feedSettings struct {
	Feeds string `env:"SVC_FEEDS" help:"JSON file that lists live feeds; see docs/feeds.md." type:"path" placeholder:"FILE"`
}
