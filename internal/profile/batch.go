package profile

import (
	"context"

	"cove/internal/proxy"
)

// Batch is new profiles, and the proxies that come with them, that are stored together: all of them or none.
type Batch struct {
	// Profiles are stored in this order. A status with a name and no id is the stored one of that name, in any case; it
	// is made if it is not there.
	Profiles []Profile
	// Proxies are stored before the profiles, so that profiles with an equal proxy refer to them. One that equals a
	// stored proxy is that proxy.
	Proxies []proxy.Record
}

// Made says what a Batch has made.
type Made struct {
	Profiles []Profile
	// Proxies, Folders and Statuses count what was not there before.
	Proxies, Folders, Statuses int
	// UnchangedLinks counts the proxies that were there before and did not take the link that came with them.
	UnchangedLinks int
}

// Batches stores batches.
type Batches interface {
	// CreateBatch stores a batch. With dry it stores nothing, and returns what it would make.
	CreateBatch(ctx context.Context, b Batch, dry bool) (Made, error)
}
