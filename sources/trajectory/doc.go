// Package trajectory is what every storage form of a conversation has in common once its bytes are in memory: the header
// made of the trajectory's own members, batches of stored steps and records, model calls recorded apart from steps, and the
// notes about all of them.
//
// A database keeps the trajectory message cut into rows, an encrypted file keeps it whole; the message is the same.
package trajectory

import (
	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/sources/profile"
)

// Messages of a stored trajectory.
const (
	Message           = "gemini_coder.Trajectory"
	StepMessage       = "gemini_coder.Step"
	GenerationMessage = "exa.cortex_pb.CortexStepGeneratorMetadata"
	ExecutorMessage   = "exa.cortex_pb.ExecutorMetadata"

	metadataMessage  = "exa.cortex_pb.CortexTrajectoryMetadata"
	referenceMessage = "exa.cortex_pb.CortexTrajectoryReference"
)

// Sections of records, named like the members of the trajectory's JSON form.
const (
	GenerationSection = "generatorMetadata"
	ExecutorSection   = "executorMetadatas"
)

// Numbers of the members of the trajectory message. They have never differed between versions; a test compares them with
// every profile.
const (
	IDField          protowire.Number = 1
	StepsField       protowire.Number = 2
	GenerationsField protowire.Number = 3
	TypeField        protowire.Number = 4
	ReferencesField  protowire.Number = 5
	CascadeIDField   protowire.Number = 6
	MetadataField    protowire.Number = 7
	SourceField      protowire.Number = 8
	ExecutorsField   protowire.Number = 9
	BattleModeField  protowire.Number = 10
)

var (
	names profile.Names

	trajectoryID         = names.Field(Message, "trajectory_id")
	trajectoryType       = names.Field(Message, "trajectory_type")
	trajectoryReferences = names.Field(Message, "parent_references")
	cascadeID            = names.Field(Message, "cascade_id")
	trajectoryMetadata   = names.Field(Message, "metadata")
	trajectorySource     = names.Field(Message, "source")

	metadataCreated    = names.Field(metadataMessage, "created_at")
	metadataParent     = names.Field(metadataMessage, "parent_conversation_id")
	metadataRoot       = names.Field(metadataMessage, "root_conversation_id")
	metadataWorkspaces = names.Field(metadataMessage, "workspace_uris")
	metadataFolders    = names.Field(metadataMessage, "workspaces") // older: with repository and branch
	metadataProject    = names.Field(metadataMessage, "project_id")
	workspaceFolder    = names.Field("exa.cortex_pb.CortexWorkspaceMetadata", "workspace_folder_absolute_uri")

	referenceTrajectory   = names.Field(referenceMessage, "trajectory_id")
	referenceStep         = names.Field(referenceMessage, "step_index")
	referenceKind         = names.Field(referenceMessage, "reference_type")
	referenceConversation = names.Field(referenceMessage, "conversation_id")
)
