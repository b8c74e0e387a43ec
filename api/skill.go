package api

// SkillFile is the skill for agents in a shell, as a client finds it.
type SkillFile struct {
	Client string `json:"client"`
	Scope  string `json:"scope"`
	// Folder is the folder of a project scope.
	Folder string `json:"folder,omitempty"`
	File   string `json:"file"`
	// Status is found, older, newer, changed or missing.
	Status string `json:"status"`
	// Number is that of the file's text: it grows with each release that changes the text.
	Number int `json:"number,omitempty"`
	// Next says what a person can do about it.
	Next string `json:"next,omitempty"`
	// Error says why the file could not be read.
	Error string `json:"error,omitempty"`
}

// SkillRequest asks to install the skill for a client, or to remove it.
type SkillRequest struct {
	// Scope is project or user. Empty means user.
	Scope string `json:"scope,omitempty"`
	// Folder is the absolute path of the folder of a project scope.
	Folder string `json:"folder,omitempty"`
	// Force replaces or removes a file that somebody has changed.
	Force bool `json:"force,omitempty"`
	// DryRun only reports what would change.
	DryRun bool `json:"dryRun,omitempty"`
}

// SkillChange is a change to one file with the skill.
type SkillChange struct {
	Client string `json:"client"`
	// Action is added, updated, removed, unchanged, or kept: other clients use the same file.
	Action string `json:"action"`
	Scope  string `json:"scope"`
	// Folder is the folder of a project scope.
	Folder string `json:"folder,omitempty"`
	File   string `json:"file"`
	// Others are the clients for which the file is kept.
	Others []string `json:"others,omitempty"`
	// Diff shows the change line by line.
	Diff string `json:"diff,omitempty"`
	// Next says what has to be allowed before agents of the client reach Cove from their shell.
	Next string `json:"next,omitempty"`
}

// SkillChanges is the answer to installing or removing the skill.
type SkillChanges struct {
	Data []SkillChange `json:"data"`
}
