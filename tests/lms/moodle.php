<?php
// Prepares a Moodle for test_moodle.py: people, a course, the hub as a tool, and a link to an assignment.
// Usage: php moodle.php MOODLE HUB COURSE; prints what an administrator gets back, as JSON.
define('CLI_SCRIPT', true);
[, $moodle, $hub, $name] = $argv;
require("$moodle/config.php");
require_once("$CFG->dirroot/course/lib.php");
require_once("$CFG->dirroot/course/modlib.php");
require_once("$CFG->dirroot/user/lib.php");
require_once("$CFG->libdir/externallib.php");
require_once("$CFG->dirroot/mod/lti/locallib.php");
\core\session\manager::set_user(get_admin());
// The hub is on this machine, which a Moodle that is not a test would not ask for keys.
set_config('curlsecurityblockedhosts', '');
set_config('curlsecurityallowedport', '');
// Otherwise a script replaces the password's field some seconds after it is there, and what was typed is lost.
set_config('loginpasswordtoggle', TOGGLE_SENSITIVE_DISABLED);
// Tours of the page would be in the way of the pictures.
$DB->set_field('tool_usertours_tours', 'enabled', 0);

$course = create_course((object) ['fullname' => 'Parallel programming', 'shortname' => $name, 'category' => 1]);
$manual = enrol_get_plugin('manual');
$instances = array_filter(enrol_get_instances($course->id, true), fn($one) => $one->enrol === 'manual');
foreach (['ada' => 'student', 'ben' => 'student', 'ines' => 'editingteacher'] as $login => $role) {
    $user = user_create_user((object) [
        'username' => $login, 'password' => 'Moodle-1-pass', 'firstname' => ucfirst($login), 'lastname' => 'Test',
        'email' => "$login@school.example", 'auth' => 'manual', 'confirmed' => 1, 'mnethostid' => $CFG->mnet_localhost_id,
    ]);
    $manual->enrol_user(reset($instances), $user, $DB->get_field('role', 'id', ['shortname' => $role]));
}

$type = (object) ['state' => LTI_TOOL_STATE_CONFIGURED];
$id = lti_add_type($type, (object) [
    'lti_typename' => 'Syncpoint', 'lti_toolurl' => "$hub/hub/lti13/course/$name/async",
    'lti_ltiversion' => LTI_VERSION_1P3, 'lti_keytype' => LTI_JWK_KEYSET,
    'lti_publickeyset' => "$hub/hub/lti13/jwks/$name", 'lti_initiatelogin' => "$hub/hub/lti13/oauth_login",
    'lti_redirectionuris' => "$hub/hub/lti13/oauth_callback", 'lti_coursevisible' => LTI_COURSEVISIBLE_ACTIVITYCHOOSER,
    'lti_launchcontainer' => LTI_LAUNCH_CONTAINER_WINDOW, 'lti_sendname' => LTI_SETTING_ALWAYS,
    'lti_sendemailaddr' => LTI_SETTING_ALWAYS, 'lti_acceptgrades' => LTI_SETTING_ALWAYS,
    'lti_organizationid_default' => LTI_DEFAULT_ORGID_SITEID,
    'ltiservice_gradesynchronization' => 2, 'ltiservice_memberships' => 1, 'ltiservice_toolsettings' => 0,
]);
$module = add_moduleinfo((object) [
    'modulename' => 'lti', 'module' => $DB->get_field('modules', 'id', ['name' => 'lti']), 'section' => 0,
    'visible' => 1, 'visibleoncoursepage' => 1, 'name' => 'async', 'introeditor' => ['text' => '', 'format' => 1, 'itemid' => 0],
    'typeid' => $id, 'toolurl' => "$hub/hub/lti13/course/$name/async", 'launchcontainer' => LTI_LAUNCH_CONTAINER_DEFAULT,
    'instructorchoiceacceptgrades' => 1, 'instructorchoicesendname' => 1, 'instructorchoicesendemailaddr' => 1,
    'grade' => 8, 'cmidnumber' => '', 'groupmode' => 0, 'groupingid' => 0,
], $course);

// The second way, without a tool: web services, and an assignment of Moodle's own.
set_config('enablewebservices', 1);
set_config('webserviceprotocols', 'rest');
$service = $DB->insert_record('external_services', ['name' => 'Marks', 'shortname' => 'marks', 'enabled' => 1, 'restrictedusers' => 0, 'timecreated' => time()]);
foreach (['core_course_get_course_module', 'core_enrol_get_enrolled_users', 'mod_assign_get_grades', 'mod_assign_save_grade'] as $function) {
    $DB->insert_record('external_services_functions', ['externalserviceid' => $service, 'functionname' => $function]);
}
$token = external_generate_token(EXTERNAL_TOKEN_PERMANENT, $service, get_admin()->id, context_system::instance());
$assign = add_moduleinfo((object) [
    'modulename' => 'assign', 'module' => $DB->get_field('modules', 'id', ['name' => 'assign']), 'section' => 0,
    'visible' => 1, 'visibleoncoursepage' => 1, 'name' => 'Homework', 'introeditor' => ['text' => '', 'format' => 1, 'itemid' => 0],
    'alwaysshowdescription' => 0, 'submissiondrafts' => 0, 'requiresubmissionstatement' => 0, 'sendnotifications' => 0,
    'sendlatenotifications' => 0, 'sendstudentnotifications' => 0, 'duedate' => 0, 'cutoffdate' => 0, 'gradingduedate' => 0,
    'allowsubmissionsfromdate' => 0, 'grade' => 8, 'teamsubmission' => 0, 'requireallteammemberssubmit' => 0,
    'teamsubmissiongroupingid' => 0, 'blindmarking' => 0, 'hidegrader' => 0, 'attemptreopenmethod' => 'none', 'maxattempts' => -1,
    'markingworkflow' => 0, 'markingallocation' => 0, 'assignfeedback_comments_enabled' => 1, 'cmidnumber' => '', 'groupmode' => 0, 'groupingid' => 0,
], $course);
echo json_encode([
    'issuer' => $CFG->wwwroot, 'authorize_url' => "$CFG->wwwroot/mod/lti/auth.php",
    'token_url' => "$CFG->wwwroot/mod/lti/token.php", 'jwks_url' => "$CFG->wwwroot/mod/lti/certs.php",
    'client_id' => $DB->get_field('lti_types', 'clientid', ['id' => $id]), 'deployment_id' => (string) $id,
    'context_id' => (string) $course->id, 'module' => $module->coursemodule, 'token' => $token, 'assignment' => $assign->coursemodule,
]);
