//go:build pins

package waygate

import (
	_ "github.com/emersion/go-smtp"
	_ "github.com/maypok86/otter/v2"
	_ "github.com/redis/go-redis/v9"
	_ "github.com/stripe/stripe-go/v86"
	_ "github.com/stripe/stripe-go/v86/webhook"
	_ "github.com/wneessen/go-mail"
	_ "github.com/google/uuid"
)
