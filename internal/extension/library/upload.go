package library

import (
	"cove/internal/extension"
	"cove/internal/profile"
)

// Upload is an extension that was read and is not stored yet.
type Upload struct {
	Source    *extension.Source
	Extension extension.Extension
	// Replaces is the stored extension that becomes this one; its ID is 0 if there is none.
	Replaces extension.Extension
	// Profiles run the new code from their next start on, because they have the extension that it replaces.
	Profiles []profile.Profile
}
