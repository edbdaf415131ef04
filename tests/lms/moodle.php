<?php
// Prepares a Moodle for test_moodle.py: people, a course, the hub as a tool, and a link to an assignment.
// Usage: php moodle.php MOODLE HUB COURSE; prints what an administrator gets back, as JSON.
define('CLI_SCRIPT', true);
[, $moodle, $hub, $name] = $argv;
require("$moodle/config.php");
require_once("$CFG->dirroot/course/lib.php");
require_once("$CFG->dirroot/course/modlib.php");
require_once("$CFG->dirroot/user/lib.php");
require_once("$CFG->dirroot/mod/lti/locallib.php");
\core\session\manager::set_user(get_admin());
// The hub is on this machine, which a Moodle that is not a test would not ask for keys.
set_config('curlsecurityblockedhosts', '');
set_config('curlsecurityallowedport', '');

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
echo json_encode([
    'issuer' => $CFG->wwwroot, 'authorize_url' => "$CFG->wwwroot/mod/lti/auth.php",
    'token_url' => "$CFG->wwwroot/mod/lti/token.php", 'jwks_url' => "$CFG->wwwroot/mod/lti/certs.php",
    'client_id' => $DB->get_field('lti_types', 'clientid', ['id' => $id]), 'deployment_id' => (string) $id,
    'context_id' => (string) $course->id, 'module' => $module->coursemodule,
]);
