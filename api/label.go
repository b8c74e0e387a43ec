package api

// ProfileStatus is a word of the person's own for the state of a profile.
type ProfileStatus struct {
	ID    StatusID `json:"id"`
	Name  string   `json:"name"`
	Color string   `json:"color"`
	// Deleted is always 0. Clients of other products read it.
	Deleted int `json:"deleted"`
}

// StatusInput describes a status. A field that is left out stays unchanged.
type StatusInput struct {
	Name  *string `json:"name,omitempty"`
	Color *string `json:"color,omitempty"`
}

// StatusData is one status.
type StatusData struct {
	Success bool          `json:"success"`
	Data    ProfileStatus `json:"data"`
}

// StatusList is one page of statuses.
type StatusList struct {
	Data []ProfileStatus `json:"data"`
	PageInfo
}

// StatusForMany gives several profiles a status.
type StatusForMany struct {
	IDs IDList `json:"ids"`
	// Status is the new one. 0 takes it away.
	Status *LooseStatus `json:"status"`
}

// Folder holds profiles together in lists.
type Folder struct {
	ID   FolderID `json:"id"`
	Name string   `json:"name"`
	// Color is red, orange, purple, green or blue, or nothing.
	Color string `json:"color,omitempty"`
	// Defaults are for the new profiles of the folder.
	Defaults *FolderDefaults `json:"defaults,omitempty"`
	// Profiles is how many profiles are in the folder, without the trash.
	Profiles int `json:"profilesCount"`
}

// FolderDefaults are what a new profile in a folder gets where its request says nothing.
type FolderDefaults struct {
	Tags       []string `json:"tags,omitempty"`
	StartPages []string `json:"startPages,omitempty"`
	Locale     string   `json:"locale,omitempty"`
	Timezone   string   `json:"timezone,omitempty"`
	Proxy      *Proxy   `json:"proxy,omitempty"`
	// Agents is the preset of the policy: open, guarded, read-only or off.
	Agents string `json:"agents,omitempty"`
}

// FolderInput describes a folder. An edit leaves what is not sent.
type FolderInput struct {
	Name     *string         `json:"name,omitempty"`
	Color    *string         `json:"color,omitempty"`
	Defaults *FolderDefaults `json:"defaults,omitempty"`
}

// FolderData is one folder.
type FolderData struct {
	Success bool   `json:"success"`
	Data    Folder `json:"data"`
}

// FolderList is one page of folders.
type FolderList struct {
	Data []Folder `json:"data"`
	PageInfo
}

// FolderOrder is the order of folders: their ids in that order, or folders with their positions. Those that are left
// out come last.
type FolderOrder struct {
	IDs     IDList           `json:"ids,omitempty"`
	Folders []FolderPosition `json:"folders,omitempty"`
}

// FolderPosition is the position of one folder.
type FolderPosition struct {
	ID    Number `json:"id"`
	Order Number `json:"order"`
}

// FolderMembers names profiles and the folder that they are put into or taken out of.
type FolderMembers struct {
	FolderID   Number `json:"folderId,omitempty"`
	ProfileIDs IDList `json:"profileIds"`
}

// FolderProfiles are the profiles in a folder.
type FolderProfiles struct {
	Data struct {
		ProfileIDs []ProfileID `json:"profileIds"`
	} `json:"data"`
}

// LabelIDs names several folders or statuses.
type LabelIDs struct {
	IDs IDList `json:"ids"`
}

// View is a view of the list of profiles that the person has given a name.
type View struct {
	ID   ViewID `json:"id"`
	Name string `json:"name"`
	// Address is what the window has behind the # of its address.
	Address string `json:"address"`
}

// ViewInput describes a view. An edit leaves what is not sent.
type ViewInput struct {
	Name    *string `json:"name,omitempty"`
	Address *string `json:"address,omitempty"`
}

// ViewData is one view.
type ViewData struct {
	Success bool `json:"success"`
	Data    View `json:"data"`
}

// Views are the saved views, by name.
type Views struct {
	Data []View `json:"data"`
}
