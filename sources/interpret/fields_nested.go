package interpret

var (
	ofTrajectory        = in(coder + "Trajectory")
	trajectoryID        = ofTrajectory("trajectory_id")
	trajectorySteps     = ofTrajectory("steps")
	trajectoryType      = ofTrajectory("trajectory_type")
	trajectoryReference = ofTrajectory("parent_references")
	trajectoryCascade   = ofTrajectory("cascade_id")
	trajectoryMetadata  = ofTrajectory("metadata")
	trajectorySource    = ofTrajectory("source")

	trajectoryCreated    = in(cortex + "CortexTrajectoryMetadata")("created_at")
	trajectoryWorkspaces = in(cortex + "CortexTrajectoryMetadata")("workspace_uris")

	ofReference           = in(cortex + "CortexTrajectoryReference")
	referenceTrajectory   = ofReference("trajectory_id")
	referenceStep         = ofReference("step_index")
	referenceType         = ofReference("reference_type")
	referenceConversation = ofReference("conversation_id")
)
